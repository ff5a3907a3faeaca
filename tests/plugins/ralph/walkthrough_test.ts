import assert from "node:assert/strict";
import { walkthroughOf } from "../../../plugins/ralph/walkthrough.ts";

Deno.test("what a document holds is counted once per number, and not in code", () => {
  const { counts } = walkthroughOf(
    "### US-1: A\n- [ ] AC-1.1: x\n- [ ] AC-1.2: y\n| FR-1 | a |\n| FR-1 | again |\n| NFR-1 | b |\n" +
      "```\n| FR-9 | an example |\n```\n",
  );
  assert.deepEqual(counts, [[1, "story"], [2, "criterion"], [2, "requirement"]]);
});

Deno.test("open questions end with the next heading; placeholders are none", () => {
  const { openQuestions } = walkthroughOf(
    "## Unresolved Questions\n- Which port?\n- [ ] Who pays?\n- Question\n- None\nprose\n\n" +
      "## Next Steps\n- Not a question\n",
  );
  assert.deepEqual(openQuestions, ["Which port?", "Who pays?"]);
});

Deno.test("many and long questions are cut", () => {
  const { openQuestions } = walkthroughOf(
    `## Open Questions\n${`- ${"why ".repeat(200)}\n`.repeat(50)}`,
  );
  assert.equal(openQuestions.length, 8);
  assert.ok(openQuestions.every((question) => question.length <= 202));
});

Deno.test("an empty document holds nothing", () => {
  assert.deepEqual(walkthroughOf(""), { counts: [], openQuestions: [] });
});
