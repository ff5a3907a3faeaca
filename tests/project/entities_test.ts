import assert from "node:assert/strict";
import { entityTypeIn, isEntityType } from "../../src/project/entities.ts";

Deno.test("the type is that of the first opening tag outside of code fences", () => {
  const fenced = '```md\n{% bug id="BUG-001" %}\n```\n';
  assert.equal(entityTypeIn(`# T\n${fenced}  {% work\r\n  id="WORK-001"\r\n%}\nx`), "work");
  assert.equal(entityTypeIn(`${fenced}~~~~\n~~~\n{% work %}\n~~~~~\n{% spec %}`), "spec");
});

Deno.test("what only looks like a tag is none", () => {
  for (
    const source of [
      "",
      "{% worker %}",
      "text {% work %}",
      "{% /work %}",
      "{% work",
      "~~~\n{% work %}",
      '{% work "\n'.repeat(3000),
    ]
  ) assert.equal(entityTypeIn(source), undefined, source.slice(0, 30));
});

Deno.test("a type is one by its exact name", () => {
  assert.deepEqual(["work", "Work", "constructor", ""].map(isEntityType), [
    true,
    false,
    false,
    false,
  ]);
});
