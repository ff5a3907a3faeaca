import assert from "node:assert/strict";
import { entityIn, isEntityType } from "../../src/project/entities.ts";

Deno.test("type and attributes are those of the first opening tag outside code fences", () => {
  const fenced = '```md\n{% bug id="BUG-001" %}\n```\n';
  assert.deepEqual(entityIn(`# T\n${fenced}  {% work\r\n  id="WORK-001"\r\n%}\nx`), {
    type: "work",
    attributes: { id: "WORK-001" },
  });
  assert.equal(entityIn(`${fenced}~~~~\n~~~\n{% work %}\n~~~~~\n{% spec %}`)?.type, "spec");
});

Deno.test("text that looks like a tag is ignored", () => {
  const sources = [
    "",
    "{% worker %}",
    "text {% work %}",
    "{% /work %}",
    "{% work",
    "~~~\n{% work %}",
    '{% work "\n'.repeat(3000),
  ];
  for (const source of sources) assert.equal(entityIn(source), undefined, source.slice(0, 30));
});

Deno.test("types match by their exact names", () => {
  assert.deepEqual(
    ["work", "Work", "constructor", ""].map(isEntityType),
    [true, false, false, false],
  );
});
