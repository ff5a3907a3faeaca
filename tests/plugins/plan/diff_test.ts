import assert from "node:assert/strict";
import { loadedPlan } from "../../support/plan.ts";

Deno.test("the plugin's comparisons answer in the shapes that the history is made of", async () => {
  const { diff } = await loadedPlan();
  assert.deepEqual(diff.diffAttributes({ status: "ready", tags: "a" }, { status: "done" }), [
    { field: "status", from: "ready", to: "done" },
    { field: "tags", from: "a", to: null },
  ]);
  assert.deepEqual(
    diff.diffCriteria([{ text: "a", checked: false }], [{ text: "a", checked: true }]),
    [{ text: "a", action: "checked" }],
  );
});
