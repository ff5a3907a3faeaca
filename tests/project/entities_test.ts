import assert from "node:assert/strict";
import { findEntityTag, isEntityType, linesOf, tagEnd } from "../../src/project/entities.ts";

Deno.test("the opening tag is the first one outside of code fences, also over several lines", () => {
  const source = '# T\n```md\n{% bug id="BUG-001" %}\n```\n  {% work\r\n  id="WORK-001"\r\n%}\nx';
  const tag = findEntityTag(source)!;
  assert.equal(tag.type, "work");
  assert.equal(source.slice(tag.start, tag.end), '{% work\r\n  id="WORK-001"\r\n%}');
  assert.equal(tag.attributes, '\r\n  id="WORK-001"\r\n');
});

Deno.test("a %} in a quoted value does not end a tag, nor does one after an escaped quote", () => {
  const source = '{% spec title="a %} \\" %}" %} rest';
  assert.equal(source.slice(tagEnd(source, 0)), " rest");
});

Deno.test("what only looks like a tag is none", () => {
  for (
    const source of [
      "",
      "{% worker %}",
      "text {% work %}",
      "{% /work %}",
      "{% work",
      '{% work id="open %}',
      `{% work ${"x".repeat(20_000)} %}`,
      "~~~\n{% work %}",
    ]
  ) assert.equal(findEntityTag(source), undefined, source.slice(0, 30));
});

Deno.test("lines are without their ends and know where they begin, and a type is one by its exact name", () => {
  assert.deepEqual([...linesOf("a\r\n\nb")].map(({ text, start }) => [text, start]), [
    ["a", 0],
    ["", 3],
    ["b", 4],
  ]);
  assert.deepEqual(["work", "Work", "constructor", ""].map(isEntityType), [
    true,
    false,
    false,
    false,
  ]);
});

Deno.test("many openings that never end are looked through in one go", () => {
  assert.equal(findEntityTag('{% work "\n'.repeat(3000)), undefined);
});

Deno.test("a fence ends where the list item or the quotation ends that it stands in", () => {
  const fenced = (text: string) =>
    [...linesOf(text)].filter(({ isFenced }) => isFenced).map((line) => line.text);
  for (
    const [text, expected] of [
      ["- a\n  ```\n  b\n\n- c\n", ["  ```", "  b", ""]],
      ["1. a\n   ~~~\n   b\n   ~~~\nc\n", ["   ~~~", "   b", "   ~~~"]],
      ["- ```\n  a\nb\n", ["- ```", "  a"]],
      ["> ```\n> a\nb\n", ["> ```", "> a"]],
      ["-\ta\n\n\t```\n\tb\nc\n", ["\t```", "\tb"]],
      // Not in a list: a line further to the left ends nothing.
      ["  ```\na\n  ```\nb\n", ["  ```", "a", "  ```"]],
      ["- a\n\nb\n\n  ```\nc\n```\n", ["  ```", "c", "```"]],
      ["* * *\n  ```\na\n  ```\n", ["  ```", "a", "  ```"]],
    ] as const
  ) assert.deepEqual(fenced(text), expected, text);
});
