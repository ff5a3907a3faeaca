import assert from "node:assert/strict";
import { runProcess } from "../support/process.ts";
import { ROOT } from "../support/server.ts";

Deno.test("the demo shows a session, two permission errors, Ralph, and the configurations", async () => {
  const before = await runProcess("git", ["status", "--porcelain"], ROOT);
  const { code, stdout, stderr } = await runProcess(Deno.execPath(), ["task", "demo"], ROOT);
  assert.equal(code, 0, stderr);
  const patterns = [
    /^ {2}deno run --no-config --no-prompt --allow-read=\. --allow-write=plan --allow-run=git jsr:@refrakt\/mcp$/m,
    /^\d\.\d s the plan's 19 tools and prompts are still listed:$/m,
    /^ {2}PLUGIN_LOAD_FAILED: .*@refrakt-md\/plan/m,
    /^> plan_next$/m,
    /^ {2}On disk, plan\/work\/WORK-\d+.* now begins with:$/m,
    /^ {2}VALIDATION_ERROR: Invalid status "finished"/m,
    /^ {2}PERMISSION_DENIED: .*\n[^]*?--allow-write=roadmap/m,
    /^> ralph_start /m,
    /^ {2}claude mcp add --scope project refrakt -- (?:npx -y deno@[\d.]+|deno) run /m,
    /^ {2}\{\n {4}"mcpServers": \{/m,
    /jsr:@refrakt\/mcp config <client>\n+$/,
  ];
  for (const pattern of patterns) assert.match(stdout, pattern);
  const after = await runProcess("git", ["status", "--porcelain"], ROOT);
  assert.equal(after.stdout, before.stdout, "the checkout stays as it is");
});
