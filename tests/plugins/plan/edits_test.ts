import assert from "node:assert/strict";
import { addCriteria, rewordCriterion } from "../../../plugins/plan/write/edits/criteria.ts";
import { setSection } from "../../../plugins/plan/write/edits/sections.ts";
import type { Edit } from "../../../plugins/plan/write/edits.ts";
import { setTitle } from "../../../plugins/plan/write/edits/tag.ts";
import { editText } from "../../support/edit_text.ts";

const SOURCE = `{% work id="WORK-001" status="ready" %}

# Title

What it is about.

## Acceptance Criteria
- [ ] One
  that goes on
- [x] Two

## Approach

Old text.

\`\`\`md
## References
- [ ] In a fence
\`\`\`

## References
- {% ref "SPEC-001" /%}

{% /work %}

After it.
`;

const edit = (...edits: Edit[]) => editText(SOURCE, {}, edits).text;
const work = (body: string) => `{% work id="W" %}\n\n# T\n\n${body}\n{% /work %}\n`;

Deno.test("the number of changes per call is limited", () => {
  const many = Array.from({ length: 1001 }, (_, index) => `Text ${index}`);
  assert.throws(() => edit(...many.map((heading) => setSection(heading, ""))), {
    message: "More than 1000 changes in one call",
  });
  assert.throws(() => edit(setSection("Notes", "word ".repeat(60_000))), {
    message: /longer than/,
  });
});

Deno.test("an attribute is replaced, appended or removed without other changes", () => {
  const source = '---\na: 1\n---\n{% work id="W-1"  status="ready" %}\nstatus="x"\n{% /work %}\n';
  const several = '{% work\n  id="W-1"\n  list=["a b", "c"]\n%}\n{% /work %}\n';
  const odd = '{% work title="a status=x" old-status="y" #status %}\n{% /work %}\n';
  const twice = '{% bug id="B" id="C" %}\n{% /bug %}';
  for (
    const [before, values, after] of [
      [source, { status: "done" }, source.replace('"ready"', '"done"')],
      [source, { tags: "a" }, source.replace('"ready" %}', '"ready" tags="a" %}')],
      [source, { status: "" }, source.replace('  status="ready"', "")],
      [source, { tags: "" }, source],
      [several, { tags: "x" }, several.replace("]\n", ']\n  tags="x"\n')],
      [several, { list: "x" }, several.replace('["a b", "c"]', '"x"')],
      [odd, { status: "done" }, odd.replace("#status", '#status status="done"')],
      [twice, { id: "D" }, twice.replace(/[BC]"/g, 'D"')],
    ] as const
  ) assert.equal(editText(before, values as Record<string, string>, []).text, after);
});

Deno.test("criteria are added to the end of their section, which is created if missing", () => {
  const add = (...texts: string[]) => addCriteria(texts);
  const added = (source: string) => editText(source, {}, [add("A")]).text;
  assert.equal(
    edit(add("Three", "- [ ] Four")),
    SOURCE.replace("- [x] Two\n", "- [x] Two\n- [ ] Three\n- [ ] Four\n"),
  );
  assert.ok(
    added(work("## Approach\nSo.")).includes(
      "# T\n\n## Acceptance Criteria\n- [ ] A\n\n## Approach\n",
    ),
  );
  assert.ok(added(work("## AC\n\n## Approach\nSo.")).includes("## AC\n- [ ] A\n"));
  for (const text of ["", "- [ ] ", "a\nb"]) assert.throws(() => edit(add(text)), /criterion/);
});

Deno.test("criteria are reworded with what is below them, and nothing else changes", () => {
  assert.equal(
    edit(rewordCriterion("1", "First")),
    SOURCE.replace("[ ] One\n  that goes on", "[ ] First"),
  );
  assert.equal(edit(rewordCriterion("1", "One that goes on")), SOURCE);
  assert.equal(edit(rewordCriterion("Two", "- [ ] 2")), SOURCE.replace("[x] Two", "[x] 2"));
  const others = work("- [ ] A\n  - [ ] B\n- [ ] C\n\n## More\n- [ ] D");
  const refused = [
    [rewordCriterion("9", "x"), /No criterion matching/],
    [rewordCriterion("Z", "x"), /No criterion matching/],
    [rewordCriterion("A", " "), /must not be empty/],
    [rewordCriterion("A", "a\nb"), /one line/],
  ] as const;
  for (const [by, message] of refused) {
    assert.throws(() => editText(others, {}, [by]), message, JSON.stringify(by));
  }
});

Deno.test("a missing section is added in the template's order, before the resolution", () => {
  for (
    const [heading, place] of [
      ["Dependencies", "- [x] Two\n\n## Dependencies\nMine.\n\n## Approach\n"],
      ["Verification", "```\n\n## Verification\nMine.\n\n## References\n"],
      ["Notes", '- {% ref "SPEC-001" /%}\n\n## Notes\nMine.\n\n{% /work %}\n\nAfter it.\n'],
    ] as const
  ) assert.ok(edit(setSection(heading, "Mine.")).includes(place), heading);
  const { text } = editText(work("## Resolution\n\nDone.\n"), {}, [setSection("Notes", "Mine.")]);
  assert.ok(text.includes("## Notes\nMine.\n\n## Resolution\n\nDone.\n"));
});

Deno.test("a title is replaced or added; a milestone's name stays before it", () => {
  const titled = (source: string, text: string) => editText(source, {}, [setTitle(text)]);
  const { text } = titled(SOURCE, "New");
  assert.equal(text, SOURCE.replace("# Title", "# New"));
  const none = '{% bug id="B" %}\nText.\n{% /bug %}\n';
  assert.equal(titled(none, "New").text, none.replace("Text.", "\n# New\nText."));
  const milestone = '{% milestone name="v1" %}\n\n# v1 — First\n{% /milestone %}\n';
  for (const text of ["Second", "v1 — Second"]) {
    assert.ok(titled(milestone, text).text.includes("# v1 — Second\n"));
  }
  for (const text of ["", "a\nb", "{% /bug %}"]) assert.throws(() => titled(SOURCE, text), /title/);
});

Deno.test("a text with unclosed markup is escaped or rejected; complete tags and code are kept", () => {
  for (
    const [given, expected] of [
      ["a\r\nb\rc", "a\nb\nc"],
      ['Adds {% hint type="note" %} support', 'Adds \\{% hint type="note" %} support'],
      ["{% hint %}\nx\n{% /hint %}", "{% hint %}\nx\n{% /hint %}"],
      ["{% /hint %}", "\\{% /hint %}"],
      ["{% begins with it", "\\{% begins with it"],
      ["`{% hint %}`", "`{% hint %}`"],
      ["```\n{% work %}\n```", "```\n{% work %}\n```"],
      ['See {% ref "WORK-002" /%}', 'See {% ref "WORK-002" /%}'],
      ["%} {% /hint %} \\{% x %}", "%} \\{% /hint %} \\{% x %}"],
    ] as const
  ) assert.ok(edit(setSection("Notes", given)).includes(`## Notes\n${expected}\n\n{%`), given);
  const open = ["```\nx", "~~~", "~~~~\n~~~\nstill open", "- ```\n  open in a list"];
  for (
    const given of [...open, "{% work %}", "{% /work %}", "x {%work%}", "x {% /spec %}", "a\0b"]
  ) {
    assert.throws(() => edit(setSection("Notes", given)), { code: "VALIDATION_ERROR" }, given);
  }
  assert.throws(() => edit(setSection("Notes", "a\n\n```js\nb")), { message: /line 3/ });
});
