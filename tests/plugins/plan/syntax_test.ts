import assert from "node:assert/strict";
import { loadedPlan } from "../../support/plan.ts";

Deno.test("a text is read as its readers will: headings, entities, other tags, errors", async () => {
  const syntax = await (await loadedPlan()).syntax();
  const source = '{% work id="WORK-001" %}\n\n# A `b`\n\n{% ref "WORK-002" /%}\n\n' +
    '```\n# Not one\n{% bug id="B" %}\n```\n\n{% /work %}\n\n{% milestone name="v1" %}\n{% /milestone %}\n';
  const reading = syntax.read(source);
  assert.deepEqual(reading.errors, []);
  assert.deepEqual(reading.headings, ["1 A b"]);
  assert.deepEqual(reading.entities, ["work WORK-001", "milestone v1"]);
  assert.deepEqual(reading.tags.length, 1);
  assert.deepEqual(syntax.read(source.replaceAll("\n", "\r\n")), reading);
});

Deno.test("a tag that is not closed, and an end that nothing begins, are errors", async () => {
  const syntax = await (await loadedPlan()).syntax();
  for (const text of ["{% work %}\n\ntext\n", "{% /work %}\n"]) {
    assert.notDeepEqual(syntax.read(text).errors, [], text);
  }
});
