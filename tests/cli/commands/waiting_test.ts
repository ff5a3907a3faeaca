import assert from "node:assert/strict";
import { NO_TERMINAL } from "../../support/terminal.ts";
import { runProcess } from "../../support/process.ts";
import { ROOT } from "../../support/server.ts";
import { testUnless } from "../../support/skip.ts";
import { temporaryFile } from "../../support/temporary.ts";

const SLOW = `import { whileLoading } from "${ROOT}src/cli/commands/command.ts";
  // Timers that are due at once, as on a busy machine, run in any order: the end begins to wait late.
  const late = new Promise((done) => setTimeout(() => setTimeout(done, 500, "done"), 1000));
  console.log(await whileLoading(late, "Reading the plan"));`;

function run(onTerminal: boolean) {
  const file = temporaryFile("main.ts", SLOW);
  const args = ["run", "--quiet", "--no-check", "--no-prompt", file];
  const line = `stty cols 80; exec '${Deno.execPath()}' ${args.join(" ")}`;
  return onTerminal
    ? runProcess("script", ["-qefc", line, "/dev/null"], ROOT)
    : runProcess(Deno.execPath(), args, ROOT);
}

Deno.test("progress is not printed to a pipe", async () => {
  assert.deepEqual(await run(false), { code: 0, stdout: "done\n", stderr: "" });
});

testUnless(NO_TERMINAL, "what takes long says so on a terminal, and erases the line", async () => {
  const { stdout } = await run(true);
  const erase = "\r\x1b[K";
  assert.ok(
    stdout.startsWith(`${erase}Reading the plan (1 s)${erase}done`),
    JSON.stringify(stdout),
  );
});
