import assert from "node:assert/strict";
import { copyExample } from "../../support/run.ts";
import { ROOT } from "../../support/server.ts";
import { temporaryFile } from "../../support/temporary.ts";

Deno.test("Ctrl-C cancels the running call with an error code", async () => {
  const source = `
    import { terminalContext } from "${ROOT}src/cli/commands/context.ts";
    import { openWorkspace } from "${ROOT}src/workspace/mod.ts";
    const { signal } = terminalContext(openWorkspace({ cwd: ${
    JSON.stringify(copyExample("plan"))
  } }));
    const timer = setInterval(() => {}, 1000);
    signal.addEventListener("abort", () => { console.log("aborted"); clearInterval(timer); Deno.exit(0); });
    console.log("ready");`;
  const file = temporaryFile("main.ts", source);
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", "--no-check", `--config=${ROOT}deno.json`, file],
    stdout: "piped",
  }).spawn();
  let said = "";
  for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
    said += chunk;
    if (said === "ready\n") child.kill("SIGINT");
  }
  assert.equal(said, "ready\naborted\n");
  await child.status;
});
