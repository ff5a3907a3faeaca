/** Tests of links: the ids and redirects that they lead to, and where they are written. */

import assert from "node:assert/strict";
import { callTool } from "../../support/calls.ts";
import { refrakt } from "../../support/run.ts";
import { coreSite } from "./projects.ts";
import { checkTool, listedFindings } from "./tools.ts";

/** Returns the findings about a site's pages, as `page line:column code message`. */
async function findings(pages: Record<string, string>): Promise<string[]> {
  const files = Object.entries(pages).map(([name, text]) => [`content/${name}.md`, text]);
  const all = await listedFindings(coreSite({}, Object.fromEntries(files)));
  return all.map((each) => each.replace(/^(\S+) content\/(\S+)\.md:(\S+)/, "$2 $3 $1")).sort();
}

Deno.test("an anchor is an id of the page as it is shown", async () => {
  const found = await findings({
    guide: "# Guide\n\n## Install\n\nWords.\n\n## Own {% #mine %}\n",
    drawers: '# D\n\n{% drawer id="help" title="Help" %}\n## Inside\n\nWords.\n{% /drawer %}\n',
    index: `# Links

[a](/guide#install) [b](/guide#mine) [c](/drawers#drawer-help) [d](#links) [e](#%6c%69nks)
[f](#) [g](#top) [h](/guide#TOP) [i](/guide#install:~:text=words) [j](/guide#:~:text=words)

[k](/guide#zzz-install) [l](/guide#own) [m](/drawers#help) [n](/guide#instal)
`,
  });
  assert.deepEqual(found, [
    'index 6:29 anchor-broken "content/guide.md" has no heading "#own". The heading on line 7 has the id "mine"',
    'index 6:45 anchor-broken "content/drawers.md" has no heading "#help". Did you mean "drawer-help"?',
    'index 6:5 anchor-broken "content/guide.md" has no heading "#zzz-install". Did you mean "install"?',
    'index 6:64 anchor-broken "content/guide.md" has no heading "#instal". Did you mean "install"?',
  ]);
});

Deno.test("a heading whose id leaves out its code says so", async () => {
  const found = await findings({
    index:
      "# T\n\n## The `render` call\n\n## `Theme`\n\n[a](#the-render-call) [b](#theme) [c](#the-call) [d](#own)\n\n## Words { #own .red }\n",
  });
  const anchors = found.filter((each) => each.includes("anchor-broken"));
  assert.deepEqual(anchors.map((each) => each.replace(/ because .* emphasis/, " …")), [
    'index 7:27 anchor-broken The page has no heading "#theme". The heading on line 5 has no id, …: write {% #theme %} after it',
    'index 7:5 anchor-broken The page has no heading "#the-render-call". The heading on line 3 has the id "the-call", …: write {% #the-render-call %} after it, or link to that',
    'index 7:54 anchor-broken The page has no heading "#own". The heading on line 9 shows {#own} as text: write {% #own %}',
  ]);
});

Deno.test("links follow redirects, and one that leads nowhere is a finding at its line", async () => {
  const redirect = (to: string) => `---\ntitle: T\nredirect: ${to}\n---\n\n# T\n`;
  const found = await findings({
    new: "# New\n\n## Part\n",
    old: redirect("/new"),
    older: redirect("old"),
    away: redirect("https://example.com/"),
    part: redirect("/new#part"),
    gone: redirect("/nowhere"),
    self: redirect("/self"),
    place: redirect('"#t"'),
    one: redirect("/two"),
    two: redirect("/one"),
    empty: redirect('""'),
    index: `# I

[a](/old#part) [b](/older#part) [c](/away#x) [d](/old#gone) [e](/gone#x) [f](/part) [g](/self) [h](/empty#t)
`,
  });
  assert.deepEqual(found, [
    'gone 3:1 redirect-broken No page or file of the site: "/nowhere"',
    'index 3:50 anchor-broken "content/new.md" has no heading "#gone"',
    'one 3:1 redirect-broken The pages redirect to each other in a circle: "/one" → "/two" → "/one"',
    'place 3:1 redirect-broken The page redirects to a place on itself: "#t"',
    "self 3:1 redirect-broken The page redirects to itself",
    'two 3:1 redirect-broken The pages redirect to each other in a circle: "/two" → "/one" → "/two"',
  ]);
});

Deno.test("a file that is no page is counted, and a link to it says so", async () => {
  const dir = coreSite({}, {
    "content/index.md": "# I\n\n[a](/one) [b](/one.mdx) [c](two.markdown) [d](/THREE)\n",
    "content/one.mdx": "# One\n",
    "content/two.markdown": "# Two\n",
    "content/THREE.MD": "# Three\n",
    "content/sub/four.mdoc": "# Four\n",
  });
  const { groups, warnings } = await callTool(dir, checkTool, {}) as {
    groups: { findings: string[] }[];
    warnings: string[];
  };
  assert.deepEqual(groups.flatMap(({ findings }) => findings), [
    'content/index.md:3:5,3:15 "content/one.mdx" is no page: the names of pages end with .md',
    'content/index.md:3:29 "content/two.markdown" is no page: the names of pages end with .md',
    'content/index.md:3:47 "content/THREE.MD" is no page: the names of pages end with .md',
  ]);
  assert.deepEqual(warnings, [
    "4 files of the content folder are no pages, because the names of pages end with .md: " +
    '"one.mdx", "THREE.MD", "two.markdown" and 1 more',
  ]);
  assert.match((await refrakt(dir, ["doctor"])).stdout, /warn {2}pages +4 files of the content/);
});

Deno.test("a link is reported where it stands, as the file has it", async () => {
  const found = await findings({
    index: `# R

\`[x](/gone)\` [a](/größe) [b](/%zz) [c](/with\\_escape) [d](</with space>) [e](/a&amp;b)
more [one][r1] here, [R1][], [ r1 ] and ![pic][r1]

> - [in a list](/list)

[r1]: /nope1 "Title"
[two
lines](/lines)
`,
    cr: "# CR\rline [a](/gone1)\rnext [b](/gone2)\n",
  });
  assert.deepEqual(found.map((each) => each.replace(/No page or file of the site: /, "")), [
    'cr 2:10 link-broken "/gone1"',
    'cr 3:10 link-broken "/gone2"',
    'index 10:8 link-broken "/lines"',
    'index 3:18 link-broken "/größe"',
    'index 3:30 link-broken "/%zz"',
    'index 3:40 link-broken "/with\\\\_escape"',
    'index 3:60 link-broken "/with space"',
    'index 3:78 link-broken "/a&amp;b"',
    'index 4:41 image-missing No such image: "/nope1"',
    'index 4:6,4:22,4:30 link-broken "/nope1"',
    'index 6:17 link-broken "/list"',
  ]);
});

Deno.test("a reference is found by its label, whatever is in it, and not in code", async () => {
  const found = await findings({
    index: `# R

\`\`\`md
[r]: /in-code
\`\`\`

A [\`one\`][], [\`two\`][], [a [b] c][r], [![pic][p]][r] and [over
lines][r] and [angled][s].

[\`one\`]: /one
[\`two\`]: /two
[p]: /p.png
[r]: /r
[s]: </with space>

[t] and [u]

[t]:
  /below
[u]:
  </angled>
`,
  });
  assert.deepEqual(found.map((each) => each.replace(/No (?:such|page or file).*: /, "")), [
    'index 16:1 link-broken "/below"',
    'index 16:9 link-broken "/angled"',
    'index 7:14 link-broken "/two"',
    'index 7:25,7:39,7:58 link-broken "/r"',
    'index 7:3 link-broken "/one"',
    'index 7:40 image-missing "/p.png"',
    'index 8:15 link-broken "/with space"',
  ]);
});

Deno.test("a partial may link to the headings of the pages around it", async () => {
  const found = await findings({
    index: '# I\n\n## Host\n\n{% partial file="p.md" /%}\n',
    "_partials/p": "[a](#host) [b](#part) [c](#nowhere)\n\n## Part\n",
  });
  assert.deepEqual(found, ['_partials/p 1:27 anchor-broken The page has no heading "#nowhere"']);
});

Deno.test("the ids of layouts around a page are ids of it, and not of others", async () => {
  const layout = (heading: string) =>
    `{% layout %}\n{% region name="header" %}\n## ${heading}\n{% /region %}\n{% /layout %}\n`;
  const found = await findings({
    _layout: layout("Everywhere"),
    "in/_layout": layout("Below"),
    "in/page": "# Page\n\n[a](#everywhere) [b](#below) [c](/#below) [d](/#everywhere)\n",
    index: "# Home\n\nWords.\n",
  });
  assert.deepEqual(
    found.map((each) => each.replace(/\. .*/, "")),
    [
      'in/page 3:5 anchor-broken The page has no heading "#everywhere"',
      'in/page 3:34 anchor-broken "content/index.md" has no heading "#below"',
    ].sort(),
  );
});
