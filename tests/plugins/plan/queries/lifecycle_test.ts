import assert from "node:assert/strict";
import { isDone, isFinished, isReady } from "../../../../plugins/plan/queries/lifecycle.ts";

Deno.test("each type has its own finished statuses", () => {
  assert.ok(isFinished("work", "cancelled", false) && !isDone("cancelled"));
  assert.ok(isFinished("bug", "wontfix", false));
  assert.ok(!isFinished("bug", "done", false));
  assert.ok(!isFinished("page", "done", false) && !isFinished("work", "", false));
});

Deno.test("an accepted spec is finished only if specs have no later status", () => {
  assert.deepEqual([isFinished("spec", "accepted", false), isFinished("spec", "accepted", true)], [
    true,
    false,
  ]);
  assert.ok(isFinished("decision", "accepted", true));
});

Deno.test("only work and bugs can be ready, each with its own status", () => {
  assert.ok(isReady("work", "ready") && isReady("bug", "confirmed"));
  assert.ok(!isReady("bug", "ready") && !isReady("spec", "ready") && !isReady("work", ""));
});
