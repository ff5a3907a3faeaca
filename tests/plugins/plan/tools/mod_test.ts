import assert from "node:assert/strict";
import { planTools } from "../../../../plugins/plan/tools/mod.ts";
import { planPlugin } from "../../../support/plan.ts";

const tools = planTools(await planPlugin());

Deno.test("exactly the tools that write are annotated as such", () => {
  const writing = tools.filter(({ annotations }) => annotations.readOnlyHint !== true);
  assert.deepEqual(
    writing.map(({ name }) => name).sort(),
    ("plan.claim plan.create plan.init plan.merge plan.migrate plan.renumber " +
      "plan.undo plan.update").split(" "),
  );
});
