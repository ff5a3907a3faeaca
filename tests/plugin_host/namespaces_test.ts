import assert from "node:assert/strict";
import { ownerOf } from "../../src/plugin_host/namespaces.ts";

Deno.test("the namespaces of this server and of its plugins belong to them, in every spelling", () => {
  for (
    const namespace of ["plan", "Plan", "PLAN", "plan-next", "docs", "docs-x", "ralph", "refrakt"]
  ) {
    assert.ok(ownerOf(namespace) !== undefined, namespace);
  }
  assert.equal(ownerOf("plan")?.packageName, "@refrakt-md/plan");
  for (const namespace of ["planner", "documents", "marketing", "my-plan"]) {
    assert.equal(ownerOf(namespace), undefined, namespace);
  }
});
