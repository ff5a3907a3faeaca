import assert from "node:assert/strict";
import { isToolName, nameKey, underscored } from "../../src/tools/tool_names.ts";

Deno.test("dots, underscores and hyphens are equivalent", () => {
  const keys = ["plan.next-id", "plan.next_id", "plan_next_id", "plan-next-id"].map(nameKey);
  assert.equal(new Set(keys).size, 1);
  assert.notEqual(nameKey("plan.next"), nameKey("plannext"));
});

Deno.test("underscored() returns names that every client accepts", () => {
  assert.equal(underscored("plan.next-id"), "plan_next_id");
  assert.match(underscored("a b/ö.c"), /^[a-zA-Z0-9_]+$/);
});

Deno.test("isToolName() accepts only names that clients can list", () => {
  for (const name of ["plan.next", "ralph_start", "a", "A-1", "a".repeat(64)]) {
    assert.ok(isToolName(name));
  }
  for (const name of ["", "1a", ".a", "a b", "a/b", "ä", "a".repeat(65), "a\n"]) {
    assert.ok(!isToolName(name), JSON.stringify(name));
  }
});
