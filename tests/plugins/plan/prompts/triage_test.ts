import assert from "node:assert/strict";
import { renderPrompt } from "../../../support/plan.ts";
import { entity, makeProject } from "../../../support/project.ts";

const work = (id: string, attributes: Record<string, string>, body = "") =>
  entity("work", { id, priority: "high", complexity: "simple", ...attributes }, `Item ${id}`, body);

Deno.test("each open item that needs a decision stands under one heading, beside the errors", async () => {
  const { lists, embedded } = await renderPrompt(
    makeProject({
      "plan/work/a.md": work("WORK-001", { status: "draft" }),
      "plan/work/b.md": work(
        "WORK-002",
        { status: "blocked", milestone: "v1" },
        '## Dependencies\n- {% ref "WORK-003" /%}\n',
      ),
      "plan/work/c.md": work("WORK-003", { status: "ready" }),
      "plan/work/d.md": work("WORK-004", { status: "ready", milestone: "v1" }),
      "plan/work/e.md": work("WORK-005", { status: "done" }),
      "plan/work/f.md": work("WORK-006", { status: "blocked" }),
      "plan/work/g.md": work("WORK-007", { status: "nonsense", milestone: "v1" }),
      "plan/milestones/v1.md": entity("milestone", { name: "v1", status: "active" }, "v1", ""),
    }),
    "plan_triage",
  );
  assert.deepEqual(embedded, []);
  assert.match(lists, /^New \(1\):\n- WORK-001 \(draft\) Item WORK-001$/m);
  assert.match(lists, /^Blocked \(2\):\n- WORK-002 .*: waits for WORK-003$/m);
  assert.match(lists, /^- WORK-006 .*: Marked blocked, but it names no dependencies$/m);
  assert.match(lists, /^Without a milestone \(1\):\n- WORK-003 /m);
  assert.match(lists, /^Errors of plan\.validate:\n- invalid-status ×1: .*nonsense/m);
  for (const id of ["WORK-004", "WORK-005"]) assert.ok(!lists.includes(`- ${id}`), id);
});

Deno.test("a plan that is in order says so", async () => {
  const { texts } = await renderPrompt(
    makeProject({ "plan/work/a.md": work("WORK-001", { status: "done" }) }),
    "plan_triage",
  );
  assert.match(texts, /Nothing needs to be sorted/);
});
