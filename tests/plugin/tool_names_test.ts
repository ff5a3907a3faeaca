import assert from "node:assert/strict";
import { isToolName, listedName, nameKey, toolName } from "../../src/plugin/tool_names.ts";

Deno.test("isToolName() accepts only names that clients can list", () => {
  for (const name of ["plan_next", "ralph_start", "a", "A1", "a".repeat(64)]) {
    assert.ok(isToolName(name));
  }
  for (const name of ["", "1a", "_a", "a.b", "a-b", "a b", "a/b", "ä", "a".repeat(65), "a\n"]) {
    assert.ok(!isToolName(name), JSON.stringify(name));
  }
});

Deno.test("all spellings of a name have one key, which is the name of the tool", () => {
  for (const name of ["plan.next-id", "plan_next_id", "plan-next-id", "plan.next_id"]) {
    assert.equal(nameKey(name), "plan_next_id");
  }
  assert.equal(toolName("my-words", "count.all"), "my_words_count_all");
  assert.equal(listedName("plan_next_id"), "plan_next_id");
  assert.equal(listedName("plan_next_id", "dotted"), "plan.next_id");
});
