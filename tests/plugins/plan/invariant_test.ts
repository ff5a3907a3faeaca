import assert from "node:assert/strict";
import fc from "../../support/npm/fast_check.ts";
import { contentOf, read } from "../../../plugins/plan/entity/document.ts";
import { editDocument } from "../../../plugins/plan/write/edits.ts";
import { changeCriteria } from "../../../plugins/plan/write/edits/criteria.ts";
import {
  appendToSection,
  resolve as addResolution,
  setSection,
} from "../../../plugins/plan/write/edits/sections.ts";
import { setAttributes } from "../../../plugins/plan/write/edits/tag.ts";

/** The parts of an entity that tools show. */
interface Shown {
  readonly title: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly sections: Readonly<Record<string, string>>;
  readonly criteria: readonly {
    readonly n: number;
    readonly text: string;
    readonly checked: boolean;
  }[];
  readonly locked: readonly string[];
  readonly reason: string | undefined;
}

function get(source: string): Shown {
  const document = read(source);
  const { title, attributes, sections, criteria, unclosed } = document.entity!;
  const filled = sections.filter(({ content }) => content.start < content.end);
  return {
    title: title?.text ?? "",
    attributes,
    sections: Object.fromEntries(
      filled.map((section) => [section.name, contentOf(document, section.content)]),
    ),
    criteria: criteria.map(({ number: n, text, checked }) => ({ n, text, checked })),
    locked: sections.filter(({ locked }) => locked !== undefined).map(({ name }) => name),
    reason: unclosed?.message,
  };
}

/** Returns the text after an update, or the reason of its rejection. */
function update(
  source: string,
  { sections, append, check, resolve, assignee }: Record<string, unknown>,
): { text: string } | { refused: string } {
  const edits = typeof assignee === "string" ? [setAttributes({ assignee })] : [];
  for (const [edit, texts] of [[setSection, sections], [appendToSection, append]] as const) {
    for (const [name, text] of Object.entries(texts ?? {})) edits.push(edit(name, String(text)));
  }
  if (typeof check === "number") edits.push(changeCriteria("check", [check]));
  if (typeof resolve === "string") edits.push(addResolution(resolve));
  try {
    return { text: editDocument(read(source), edits).source };
  } catch (error) {
    return { refused: String(error) };
  }
}

const NEW = "Something *new*.\n\n- [ ] A fresh box\n- one more";

/** Checks that each part of a file can be changed, or is locked. */
function holds(source: string): void {
  const before = get(source);
  const names = Object.keys(before.sections);
  if (before.reason !== undefined) assert.match(before.reason, /line \d+ is not closed/);
  for (const name of names) {
    const isLocked = before.locked.includes(name);
    const told = `section ${JSON.stringify(name)} of\n${source}`;
    const old = before.sections[name]!;
    const cases = [
      [{ sections: { [name]: NEW } }, NEW],
      [{ append: { [name]: "Added." } }, `${old}\n\nAdded.`],
      [{ sections: { [name]: "" } }, undefined],
    ] as const;
    for (const [input, wanted] of cases) {
      const answer = update(source, input);
      if (isLocked) {
        assert.ok("refused" in answer, told);
        if (before.reason !== undefined) {
          assert.ok(answer.refused.includes(before.reason), answer.refused);
        }
        continue;
      }
      assert.ok("text" in answer, `${JSON.stringify(answer)} ${told}`);
      const after = get(answer.text);
      assert.equal(after.title, before.title, told);
      assert.deepEqual(after.attributes, before.attributes, told);
      assert.equal(after.reason, before.reason, told);
      const left = names.filter((one) => wanted !== undefined || one !== name)
        .map((one) => one === name ? wanted : before.sections[one]);
      assert.deepEqual(Object.values(after.sections), left, told);
      onlyPart(source, answer.text, old, told);
    }
  }
  for (const { n, text, checked } of before.criteria) {
    const answer = update(source, { check: n });
    assert.ok("text" in answer, `criterion ${n}: ${JSON.stringify(answer)} of\n${source}`);
    const [start, removed, put] = difference(source, answer.text);
    if (checked) {
      assert.equal(answer.text, source);
      continue;
    }
    assert.deepEqual([removed, put], [" ", "x"], source);
    assert.equal(source.slice(start - 1, start + 2), "[ ]");
    const shown = source.slice(start + 2).trimStart().replaceAll(/\s*[\r\n]\s*/g, " ");
    assert.ok(shown.startsWith(text), source);
  }
  for (const input of [{ assignee: "$& it's" }, { resolve: "Done {% x" }]) {
    const answer = update(source, input);
    // A resolution needs a known end, and only work and bugs can have one.
    if ("refused" in answer && "resolve" in input) continue;
    assert.ok("text" in answer, `${JSON.stringify(answer)} of\n${source}`);
    const { attributes, sections, ...after } = get(answer.text);
    assert.deepEqual(attributes, { ...before.attributes, ...("assignee" in input ? input : {}) });
    assert.deepEqual([after.title, after.criteria], [before.title, before.criteria], source);
    const others = Object.keys("resolve" in input ? sections : before.sections)
      .filter((name) => !("resolve" in input) || !name.startsWith("Resolution"));
    for (const name of others) assert.equal(sections[name], before.sections[name], source);
  }
}

/** Returns where two texts differ, and the differing parts. */
function difference(before: string, after: string): [start: number, removed: string, put: string] {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start++;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before.at(-1 - end) === after.at(-1 - end)) end++;
  return [start, before.slice(start, before.length - end), after.slice(start, after.length - end)];
}

/** Requires that only lines of the section, its heading and blank lines were removed. */
function onlyPart(before: string, after: string, section: string, told: string): void {
  const [, removed] = difference(before, after);
  const lines = removed.split(/\r\n?|\n/).slice(1, -1).filter((line) => line.trim() !== "");
  const own = section.split("\n");
  // The first one may be the heading.
  const foreign = lines.filter((line) => !own.includes(line));
  assert.ok(foreign.length <= 1, `${JSON.stringify(foreign)} ${told}`);
}

/** Parts of a body. A heading in them is a section or only looks like one. */
const PIECES = [
  "## Approach\n\nHow it is done.\n",
  "## Approach\n\nThe same heading again.\n",
  "## __proto__\n\nA bold word.\n",
  "   ## Indented\n\nBy three.\n",
  "    ## Too far\n\nIndented by four.\n",
  "\t## By a tab\n",
  "## Annotated {% #id .class %}\n\nText.\n",
  '## About {% ref "SPEC-001" /%}\n\nText.\n',
  "## With `{% work %}` in it\nText.\n",
  "##\n\nA heading without words.\n",
  "## Empty\n",
  "##\tTab\n\n\tTabbed text.\n",
  "# Another first level\n\nText.\n",
  "Underlined too\n---\n\nText.\n",
  "<!-- ## Commented -->\n",
  "<!--\n## In a comment\n\n- [ ] Commented\n-->\n",
  "Text <!-- that\n\n## Late comment\n\n- [ ] Hidden\n\n--> ends.\n",
  "> ## Quoted\n> text\n",
  "- ## In an item\n- text\n",
  "```md\n## Fenced\n- [ ] Fenced\n```\n",
  "~~~\n## Tilde\n```\n~~~\n",
  "`````\n```\n## Longer\n```\n`````\n",
  '```js {% title="a" %}\n## Info string\n```\n',
  "- Item\n\n  ```\n  ## In a list\n  - [ ] Fenced in a list\n  ```\n",
  "    ```\n    no fence\n",
  "```\n{% work %}\n```\n",
  "- ```\n  open in an item\n",
  '{% hint type="note" %}\n## In a tag\n\n- [ ] In a tag\n{% /hint %}\n',
  "{% table %}\n- a\n- b\n---\n- ## c\n- d\n{% /table %}\n",
  "| a | b |\n|---|---|\n| ## x | `|` |\n",
  "- [ ] One\n- [x] Two\n  goes on\n  - [ ] Nested\n",
  "-   [ ] Wide\n* [ ] Star\n+ [ ] Plus\n",
  "\\## Escaped\n\\{% hint %}\n",
  "{% /hint %}\n",
  '## Dependencies\n- {% ref "WORK-002" /%}\n',
  "Lazy\n> quote\ncontinued\n",
  "## description\n\nNamed like the part without a heading.\n",
  "## Resolution\n\nCompleted: 2026-01-01\n\nDone.\n",
];

/** Parts that leave something open, so that nothing after them is certain. */
const OPEN = [
  "```\n## Open fence\n",
  "~~~~md\n~~~\n",
  "<!-- open comment\n",
  "Text <!-- open behind text\n",
  "{% hint %}\nOpen tag\n",
  "Text {% sandbox %} in a line\n",
  '{% ref "a\n',
];

const anyBody = fc.array(fc.constantFrom(...PIECES), { maxLength: 9 });

const anyFile = fc.record({
  body: anyBody,
  open: fc.option(fc.constantFrom(...OPEN), { freq: 6 }),
  title: fc.constantFrom(
    "# Title\n",
    "# Title\n",
    "# Title {% #id %}\n",
    "",
    "Before\n\n# Title\n",
  ),
  gap: fc.constantFrom("\n", "\n", "", "\n\n"),
  lineEnd: fc.constantFrom("\n", "\n", "\r\n", "\r"),
  bom: fc.constantFrom("", "", "\uFEFF"),
  head: fc.constantFrom("", "", "---\ntitle: x\n---\n", "Text before.\n\n"),
  tail: fc.constantFrom(
    "",
    "\nAfter it.\n\n## After\n\n- [ ] After\n",
    '\n{% bug id="BUG-9" %}\n\n# B\n\n{% /bug %}\n',
  ),
}).map(({ body, open, title, gap, lineEnd, bom, head, tail }) => {
  const text = [title, ...body, ...(open === null ? [] : [open])].join(gap);
  const source =
    `${head}{% work id="WORK-001" status="ready" %}\n${gap}${text}${gap}{% /work %}\n${tail}`;
  return bom + source.replaceAll("\n", () => lineEnd);
});

Deno.test("everything shown can be changed without other changes, in generated texts", () => {
  fc.assert(
    fc.property(anyFile, (source) => {
      if (read(source).entity === undefined) return;
      holds(source);
    }),
    { numRuns: 200, seed: 5 },
  );
});

/** Text that a caller may try to put into a section. */
const HOSTILE = [
  ...PIECES,
  ...OPEN,
  "{% /work %}\n",
  '{% work id="X" %}\n',
  "Text {% /work %} in a line\n",
  "-->\n",
  '"\n',
  "<!-- a --> ## b\n",
  "- [ ] A box",
  "  ",
  "| a |\n|---|\n",
  "[a]: http://example.com\n",
  "<<<<<<< ours\n=======\n>>>>>>> theirs\n",
];

Deno.test("no text in a section changes other sections", () => {
  let written = 0;
  const given = fc.array(fc.constantFrom(...HOSTILE), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(anyFile, given, fc.nat(), fc.boolean(), (source, parts, pick, isNew) => {
      if (read(source).entity === undefined) return;
      const before = get(source);
      const names = Object.keys(before.sections);
      const text = parts.join("\n");
      const name = isNew || names.length === 0 ? "Brand new" : names[pick % names.length]!;
      for (const input of [{ sections: { [name]: text } }, { append: { [name]: text } }]) {
        const answer = update(source, input);
        if ("refused" in answer) continue;
        written++;
        const told = `${JSON.stringify(input)} in\n${source}\nbecame\n${answer.text}`;
        const after = get(answer.text);
        assert.equal(after.title, before.title, told);
        assert.deepEqual(after.attributes, before.attributes, told);
        assert.equal(after.reason, before.reason, told);
        const others = (shown: Shown) =>
          Object.entries(shown.sections).filter(([one]) => one !== name).map(([, text]) => text);
        if (!before.sections[name] || after.sections[name]) {
          assert.deepEqual(others(after), others(before), told);
        }
        const shown = after.sections[name] ?? "";
        const lines = (of: string) =>
          of.replaceAll("\\{%", "{%").split("\n").map((one) => one.trim());
        const missing = lines(text).filter((line) => line !== "" && !lines(shown).includes(line));
        // A text may repeat its own heading.
        assert.ok(missing.every((line) => line.startsWith("##")), `${missing} ${told}`);
      }
    }),
    { numRuns: 700, seed: 3 },
  );
  assert.ok(written > 120, `${written} were written`);
});
