import assert from "node:assert/strict";
import { errorOf } from "../../../support/calls.ts";
import { renderPrompt } from "../../../support/plan.ts";
import { makeProject } from "../../../support/project.ts";
import { WIDE_PLAN } from "../tools/plan.ts";

const cwd = makeProject(WIDE_PLAN);
const review = (milestone?: string) =>
  renderPrompt(cwd, "plan_review", milestone === undefined ? {} : { milestone });

Deno.test("a milestone is shown by status, with what waits", async () => {
  const { lists, embedded } = await review("v1.0.0");
  assert.deepEqual(embedded.map(({ uri }) => uri), ["refrakt://plan/milestone/v1.0.0"]);
  assert.match(lists, /ready \(2\):\n.*\n- WORK-002 \(ready\).*: waits for WORK-001/);
  assert.match(lists, /in-progress \(1\):\n- WORK-005/);
  assert.ok(!lists.includes("WORK-003"), "an item of another milestone");
});

Deno.test("what was closed too early is told", async () => {
  const { lists } = await review("v0.9.0");
  assert.match(lists, /Done with open criteria \(1\):\n- WORK-003 \(done\) Theme: 1 open/);
  assert.ok(!lists.includes("Done without a resolution"), "it has one");
});

Deno.test("a milestone that is not given, or not there, is refused with those that are", async () => {
  const missing = await errorOf(review());
  assert.deepEqual([missing.code, missing.hint], ["INVALID_ARGS", "Give one of v0.9.0, v1.0.0."]);
  const unknown = await errorOf(review("v3"));
  assert.match(unknown.hint!, /v0\.9\.0, v1\.0\.0/);
});
