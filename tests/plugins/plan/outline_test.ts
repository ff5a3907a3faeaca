import assert from "node:assert/strict";
import { applySplices, outlineOf } from "../../../plugins/plan/outline.ts";

const SOURCE = 'Before.\n\n{% work\n  id="WORK-001" %}\n\n# Title\n\n## One\n\n- [ ] a\n' +
  "```\n## Not one\n- [ ] not\n```\n\n### Deep\n\n## Two\n- [X] b\n\n{% /work %}\n\n## After\n";

Deno.test("outlineOf() finds what is inside the entity and outside fences", () => {
  const outline = outlineOf(SOURCE)!;
  assert.equal(outline.title?.text, "Title");
  assert.deepEqual(outline.sections.map(({ heading }) => heading), ["One", "Two"]);
  assert.deepEqual(outline.criteria.map(({ number, text, checked }) => [number, text, checked]), [
    [1, "a", false],
    [2, "b", true],
  ]);
  assert.equal(SOURCE.slice(outline.bodyEnd), "{% /work %}\n\n## After\n");
  assert.ok(
    SOURCE.slice(outline.sections[0]!.start, outline.sections[0]!.end).endsWith("### Deep\n\n"),
  );
  assert.equal(outlineOf("No entity.\n"), undefined);
  assert.equal(outlineOf('{% work id="x" /%}\n# T\n')!.isEmpty, true);
  assert.equal(outlineOf('{% work id="x" %}\n# T\n')!.isClosed, false);
});

Deno.test("a check box in a comment is none, and a comment that is never closed hides none", () => {
  const texts = (body: string) =>
    outlineOf(`{% work id="W-1" %}\n\n# A\n\n${body}\n{% /work %}\n`)!.criteria
      .map(({ number, text }) => `${number} ${text}`);
  assert.deepEqual(texts("<!--\n- [ ] a\n-->\n- [ ] b\n"), ["1 b"]);
  assert.deepEqual(texts("- [ ] a <!-- not\n- [ ] b -->\n- [ ] c\n"), ["1 a <!-- not", "2 c"]);
  assert.deepEqual(texts("<!-- one line -->\n- [ ] a `<!--`\n- [ ] b\n"), ["1 a `<!--`", "2 b"]);
  assert.deepEqual(texts("- [ ] a\n<!-- open\n- [ ] b\n"), ["1 a", "2 b"]);
});

Deno.test("applySplices() changes places in any order, and refuses two that overlap", () => {
  const splices = [{ start: 4, end: 5, text: "E" }, { start: 0, end: 1, text: "" }];
  assert.equal(applySplices("abcde", splices), "bcdE");
  assert.throws(
    () => applySplices("abcde", [{ start: 0, end: 3, text: "" }, { start: 2, end: 4, text: "" }]),
    TypeError,
  );
});
