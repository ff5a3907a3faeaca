/**
 * Pages with one mistake each: the text, the line (0: the whole page), and the expected message.
 */

const page = (body: string, fm = "title: T\ndescription: D") =>
  `---\n${fm}\n---\n\n# T\n\n${body}\n`;
export const MISTAKES: Readonly<
  Record<string, readonly [page: string, line: number, found: RegExp]>
> = {
  unknownRune: [page("{% hnt %}\nx\n{% /hnt %}"), 8, /rune-unknown.*"hint"/],
  unknownAttr: [page('{% hint tipe="note" %}\nx\n{% /hint %}'), 8, /attribute-unknown.*"type"/],
  badValue: [page('{% hint type="wrning" %}\nx\n{% /hint %}'), 8, /attribute-value.*"warning"/],
  badType: [page('{% grid columns="two" %}\nx\n{% /grid %}'), 8, /attribute-/],
  missingAttr: [page("{% icon /%}"), 8, /attribute-missing/],
  unclosed: [page('{% hint type="note" %}\nx'), 8, /rune-unclosed/],
  unclosedNested: [
    page('{% grid %}\n\n{% hint type="note" %}\nx\n\n{% /grid %}'),
    10,
    /rune-unclosed.*hint/,
  ],
  notOpened: [page("text\n\n{% /card %}"), 10, /rune-unclosed/],
  wrongClose: [page("{% hint %}\nx\n{% /hnit %}"), 8, /rune-unclosed|rune-unknown/],
  unquoted: [page("{% hint type=note %}\nx\n{% /hint %}"), 8, /quotes/],
  singleQuoted: [page("{% hint type='note' %}\nx\n{% /hint %}"), 8, /quote/],
  noEndBrace: [page('{% hint type="note"\nx\n{% /hint %}'), 8, /syntax|rune-unclosed/],
  doubleAttr: [
    page('{% hint type="note" type="warning" %}\nx\n{% /hint %}'),
    8,
    /syntax|attribute/,
  ],
  unknownFunction: [page('{% hint type=upper("x") %}\nx\n{% /hint %}'), 8, /function-unknown/],
  unknownVariable: [page("Hello {% $frontmater.title %}."), 8, /variable-unknown (warning|hint)/],
  adapterVariable: [page("Version {% $version %}."), 8, /variable-unknown hint/],
  unknownPageField: [page("Hello {% $page.titel %}."), 8, /variable-unknown.*title/],
  missingPartial: [page('{% partial file="foter.md" /%}'), 8, /partial-missing/],
  tabOutside: [page('{% tab name="A" %}\nx\n{% /tab %}'), 8, /rune-placement.*tab/],
  unknownLayout: [page("x", "title: T\ndescription: D\nlayout: docz"), 4, /layout.*docs/],
  unknownIcon: [page('{% icon name="rockt" /%}'), 8, /icon.*"rocket"/],
  unknownTint: [page('{% hint tint="nrod" %}\nx\n{% /hint %}'), 8, /tint.*"nord"/],
  unknownBg: [
    page('{% hero bg="surface-drak" %}\n## x\n{% /hero %}'),
    8,
    /background.*"surface-dark"/,
  ],
  fmTint: [page("x", "title: T\ndescription: D\ntint: dracul"), 4, /tint.*"dracula"/],
  fmDate: [page("x", "title: T\ndescription: D\ndate: 2024-13-45"), 4, /date/],
  attrDate: [page('{% event date="2024-02-31" %}\n## x\n{% /event %}'), 8, /date/],
  duplicateId: [page("## One {% #same %}\n\nx\n\n## Two {% #same %}\n\ny"), 12, /id.*same/],
  duplicateHeading: [page("## Same\n\nx\n\n## Same\n\ny"), 12, /id-duplicate hint/],
  sandboxMissing: [page('{% sandbox src="wireframe-wave" /%}'), 8, /wireframe-waves/],
  secondH1: [page("x\n\n# Another\n\ny"), 10, /heading/],
  fmYaml: [
    "---\ntitle: T\ndescription: [a, b\ntags: x\n---\n\n# T\n\nx\n",
    3,
    /frontmatter-syntax/,
  ],
  fmNested: [
    `---\na: ${"[".repeat(3000)}${"]".repeat(3000)}\n---\n# T\n`,
    2,
    /not YAML: it has 3,000 levels of brackets, at most 100/,
  ],
  fmCircular: [
    "---\ntitle: T\na: &a\n  b: *a\n---\n# T\n",
    2,
    /not YAML: an alias is within its own anchor/,
  ],
  fmUnclosed: ["---\ntitle: T\n\n# T\n\nx\n", 1, /frontmatter-syntax/],
  fmDraftString: [page("x", 'title: T\ndescription: D\ndraft: "yes"'), 4, /frontmatter-value/],
  fmMisspelt: [page("x", "title: T\ndescripton: D"), 3, /frontmatter-value.*description/],
  fmTintMode: [page("x", "title: T\ndescription: D\ntint-mode: drk"), 4, /frontmatter-value/],
  linkBroken: [page("[x](/docs/nowhere)"), 8, /link-broken/],
  linkNear: [page("[x](/runes/hnt)"), 8, /link-broken.*hint/],
  linkMd: [page("[x](../runes/hint.md)"), 8, /link-broken/],
  linkEmpty: [page("[x]()"), 8, /link-broken/],
  anchorBroken: [page("[x](#nothing)"), 8, /anchor-broken/],
  imageMissing: [page("![alt](/no-such.png)"), 8, /image-missing/],
  imageAlt: [page("![](/favicon-192.png)"), 8, /image-alt/],
  headingJump: [page("## A\n\n#### B\n\nx"), 10, /heading-jump/],
  pageEmpty: ["---\ntitle: T\ndescription: D\n---\n", 0, /page-empty/],
  noTitle: ["---\ndescription: D\n---\n\nJust text.\n", 0, /page-title/],
  emptyRune: [page("{% hint %}\n{% /hint %}"), 8, /content-missing/],
  xref: [page('See {% ref "WORK-99999" /%}.'), 8, /build-message.*WORK-99999/],
  xrefAfterCode: [
    page('```\n{% ref "WORK-99998" /%}\n```\n\nWORK-99998: {% ref "WORK-99998" /%}.'),
    12,
    /build-message.*WORK-99998/,
  ],
  expandMissing: [page('{% expand "SPEC-99999" /%}'), 8, /build-message.*SPEC-99999/],
  snippetMissing: [page('{% snippet path="no/such.ts" /%}'), 8, /build-message.*no\/such/],
  primaryValue: [page('{% file-ref "no/such.ts" /%}'), 8, /attribute-unknown .*without a name/],
  bond: [
    page('Nobody A is\n\n{% bond from="Nobody A" to="Nobody B" %}\nx\n{% /bond %}'),
    10,
    /build-message.*Nobody A/,
  ],
  navSlug: [page("{% nav %}\n- no-such-page\n{% /nav %}"), 9, /no-such-page/],
  dataMissing: [page('{% data src="no-such.csv" /%}'), 8, /no-such\.csv/],
  routeDuplicate: [page("x", "title: T\ndescription: D\nslug: /runes/hint"), 0, /route-duplicate/],
  partialCycle: [page('{% partial file="cycle-a.md" /%}'), 8, /cycle.*cycle-a\.md.*cycle-b\.md/],
  layoutAttr: [
    page('{% nav layout="menuber" %}\n- runes/hint\n{% /nav %}'),
    8,
    /attribute-value.*menubar/,
  ],
  codegroupEmpty: [page("{% codegroup %}\ntext only\n{% /codegroup %}"), 8, /content-/],
};

export const PARTIALS: Readonly<Record<string, string>> = {
  "cycle-a.md": 'A {% partial file="cycle-b.md" /%}\n',
  "cycle-b.md": 'B\n\n{% partial file="cycle-a.md" /%}\n',
};
