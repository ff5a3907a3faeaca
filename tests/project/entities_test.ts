import assert from "node:assert/strict";
import { entityTypeIn, isEntityType } from "../../src/project/entities.ts";

Deno.test("an entity is the first tag outside code and comments, also over several lines", () => {
  const code = '# T\n```md\n{% bug id="BUG-001" %}\n```\n<!--\n{% bug %}\n-->\n';
  assert.equal(entityTypeIn(code), undefined);
  assert.equal(entityTypeIn(`${code}  {% work\r\n  id="WORK-001"\r\n%}\nx`), "work");
  assert.equal(entityTypeIn('{% spec title="a %} \\" %}" %} rest'), "spec");
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
      '{% work "\n'.repeat(3000),
    ]
  ) assert.equal(entityTypeIn(source), undefined, source.slice(0, 30));
});

Deno.test("a type is one by its exact name", () => {
  const found = ["work", "Work", "constructor", ""].map(isEntityType);
  assert.deepEqual(found, [true, false, false, false]);
});
