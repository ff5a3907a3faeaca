import assert from "node:assert/strict";

Deno.test("a log entry is one line of JSON on stderr, for any message", () => {
  const url = new URL("../../src/mcp/caller.ts", import.meta.url).href;
  const code = `import { logLine } from ${JSON.stringify(url)};
    logLine("info", "debug", "a", "not wanted");
    logLine("info", "error", "a.b", "two\\nlines", { n: 1 });`;
  const { stdout, stderr } = new Deno.Command(Deno.execPath(), {
    args: ["eval", "--ext=ts", code],
    cwd: new URL("../..", import.meta.url),
  }).outputSync();
  assert.equal(new TextDecoder().decode(stdout), "");
  const lines = new TextDecoder().decode(stderr).trim().split("\n");
  assert.equal(lines.length, 1);
  const { level, logger, data } = JSON.parse(lines[0]!);
  assert.deepEqual([level, logger, data], ["error", "a.b", { message: "two\nlines", n: 1 }]);
});
