import assert from "node:assert/strict";
import { CARRIED } from "../../../../plugins/ralph/context.ts";
import { research } from "../../../../plugins/ralph/documents/research.ts";
import { walkthroughOf } from "../../../../plugins/ralph/walkthrough.ts";

Deno.test("the commands of the template are carried to the later phases", () => {
  const carried = CARRIED["research.md"]!(research.template);
  assert.ok(carried.some((line) => line.startsWith("| Unit tests |")));
  assert.ok(!carried.some((line) => line.includes("Feasibility")));
});

Deno.test("the placeholder of a question is no open question", () => {
  assert.deepEqual(walkthroughOf(research.template).openQuestions, []);
  const asked = research.template.replace("- Question", "- Which port?");
  assert.deepEqual(walkthroughOf(asked).openQuestions, ["Which port?"]);
});
