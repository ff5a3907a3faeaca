import assert from "node:assert/strict";
import { runProcess } from "../support/process.ts";
import { ROOT } from "../support/server.ts";

Deno.test("a log entry is one line of JSON on stderr, for any message", async () => {
  const code = `import { logLine } from "${ROOT}src/mcp/session.ts";
    logLine("info", "debug", "a", "not wanted");
    logLine("info", "error", "a.b", "two\\nlines", { n: 1 });`;
  const { stdout, stderr } = await runProcess(Deno.execPath(), ["eval", "--ext=ts", code], ROOT);
  assert.equal(stdout, "");
  const { level, logger, data } = JSON.parse(stderr);
  assert.deepEqual([level, logger, data], ["error", "a.b", { message: "two\nlines", n: 1 }]);
});
