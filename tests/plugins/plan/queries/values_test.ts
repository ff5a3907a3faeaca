import assert from "node:assert/strict";
import { checkValues, unknownValue } from "../../../../plugins/plan/queries/values.ts";
import { viewOf } from "../../../support/plan.ts";
import { entity, planFile } from "../../../support/project.ts";

Deno.test("a known value with a comma is one value; other commas separate values", async () => {
  const plan = await viewOf({
    ...planFile("WORK-001", { assignee: "Lovelace, Ada" }, "", "A"),
    "plan/work/WORK-002-b.md": entity("work", { id: "WORK-002", assignee: "Grace" }, "B", ""),
  });
  assert.deepEqual(checkValues(plan, "assignee", "Lovelace, Ada"), ["Lovelace, Ada"]);
  assert.deepEqual(checkValues(plan, "assignee", "grace,,none"), ["Grace", "none"]);
  assert.throws(() => checkValues(plan, "assignee", ["Alan"]), { code: "NOT_FOUND" });
});

Deno.test("the error for an unknown value is always short", () => {
  const many = Array.from({ length: 500 }, (_, at) => `v${at}`);
  const { message, hint } = unknownValue("milestone", "x".repeat(10_000), many);
  assert.ok(message.length < 150 && hint!.length < 400);
  assert.match(hint!, /The milestones are v0, .* and 470 more\.$/);
  assert.match(unknownValue("priority", "x", []).hint!, /The plan has no priorities yet/);
});
