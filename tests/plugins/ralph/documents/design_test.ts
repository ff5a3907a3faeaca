import assert from "node:assert/strict";
import { CARRIED } from "../../../../plugins/ralph/context.ts";
import { design } from "../../../../plugins/ralph/documents/design.ts";

Deno.test("the decisions of the template are carried to the later phases, and nothing else", () => {
  const carried = CARRIED["design.md"]!(design.template);
  assert.equal(carried[0], "## Technical Decisions");
  assert.ok(carried.some((line) => line.includes("Rationale")));
  assert.ok(!carried.some((line) => line.includes("File Structure")));
});
