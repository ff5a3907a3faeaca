import assert from "node:assert/strict";
import { dotted, isToolName, toolName } from "../../src/tools/tool_names.ts";

Deno.test("isToolName() accepts only names that clients can list", () => {
  for (const name of ["plan_next", "ralph_start", "a", "A-1", "a".repeat(64)]) {
    assert.ok(isToolName(name));
  }
  for (const name of ["", "1a", ".a", "a b", "a/b", "ä", "a".repeat(65), "a\n"]) {
    assert.ok(!isToolName(name), JSON.stringify(name));
  }
});

Deno.test("toolName() joins a namespace and a command, and dotted() parts them", () => {
  assert.equal(toolName("plan", "next-id"), "plan_next_id");
  assert.equal(toolName("my-docs", "extract.all"), "my_docs_extract_all");
  assert.equal(dotted("plan_next_id"), "plan.next_id");
});
