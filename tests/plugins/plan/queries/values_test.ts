import assert from "node:assert/strict";
import { checkValues, knownValues, unknownValue } from "../../../../plugins/plan/queries/values.ts";
import { viewOf } from "../../../support/plan.ts";
import { entity, planFile } from "../../../support/project.ts";
import { WIDE_PLAN } from "../tools/plan.ts";

Deno.test("known values come from the plugin and from the plan", async () => {
  const plan = await viewOf({
    ...WIDE_PLAN,
    "plan/work/WORK-009-x.md": entity("work", { id: "WORK-009", status: "parked" }, "X", ""),
  });
  const statuses = knownValues(plan, "status", ["work"]);
  assert.ok(statuses.includes("parked") && statuses.includes("review"));
  assert.ok(!statuses.includes("wontfix"));
  assert.deepEqual(knownValues(plan, "milestone"), ["v0.9.0", "v1.0.0"]);
});

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
