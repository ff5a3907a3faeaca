import assert from "node:assert/strict";
import { withLine, withRecord, withStatus } from "../../../plugins/ralph/progress.ts";

Deno.test("edits of the progress file keep the rest of it", () => {
  const status = { phase: "design" as const, done: 1, total: 2, next: "n" };
  const plugin = "---\nspec: a\n---\n\n# a\n\n## Current Goal\nx\n";
  const once = withStatus(plugin, status);
  assert.ok(once.indexOf("# a") < once.indexOf("<!-- ralph:status -->"));
  assert.ok(once.includes("## Current Goal\nx"));
  assert.equal(withStatus(once, status), once, "renewing changes nothing else");
  assert.match(withStatus("", status), /- Tasks: 1\/2/);
  const fenced = "```\n## Learnings\n```\n\n## Learnings\n";
  assert.equal(withLine(fenced, "Learnings", "- y"), `${fenced}\n- y\n`);
  assert.equal(withRecord("text", "H", "b"), "text\n\n## Completed\n\n### H\n\nb\n");
  assert.equal(withLine("## A\n\n- x\n\n## B\n", "A", "- y"), "## A\n\n- x\n- y\n\n## B\n");
  assert.equal(withLine("## B\n", "A", "- y"), "## B\n\n## A\n\n- y\n");
});
