import assert from "node:assert/strict";
import { entityTypeIn, isEntityType } from "../../src/project/entities.ts";

Deno.test("the type is that of the first opening tag outside code fences", () => {
  const fenced = '```md\n{% bug id="BUG-001" %}\n```\n';
  assert.equal(entityTypeIn(`# T\n${fenced}  {% work\r\n  id="WORK-001"\r\n%}\nx`), "work");
  assert.equal(entityTypeIn(`${fenced}~~~~\n~~~\n{% work %}\n~~~~~\n{% spec %}`), "spec");
});

Deno.test("text that looks like a tag is ignored", () => {
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

Deno.test("types match by their exact names", () => {
  assert.deepEqual(["work", "Work", "constructor", ""].map(isEntityType), [
    true,
    false,
    false,
    false,
  ]);
});
