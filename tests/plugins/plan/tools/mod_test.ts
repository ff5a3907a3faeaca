import assert from "node:assert/strict";
import { planTools } from "../../../../plugins/plan/tools/mod.ts";
import { planPlugin } from "../../../support/plan.ts";

const tools = planTools(await planPlugin());

Deno.test("each tool has a unique name, a title, and input and output schemas", () => {
  const names = tools.map(({ name }) => name);
  assert.deepEqual([...new Set(names)].sort(), [...names].sort());
  for (const { name, title, description, input, output, run } of tools) {
    assert.ok(title && description && input.json && output && run, name);
  }
});

Deno.test("exactly the tools that write are annotated as such", () => {
  const writing = tools.filter(({ annotations }) => annotations.readOnlyHint !== true);
  assert.deepEqual(
    writing.map(({ name }) => name).sort(),
    ("plan.claim plan.create plan.init plan.merge plan.migrate plan.renumber " +
      "plan.undo plan.update").split(" "),
  );
});
