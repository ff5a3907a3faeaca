import assert from "node:assert/strict";
import { ROOT } from "../../support/server.ts";
import { temporaryFile } from "../../support/temporary.ts";

/** What a process says that waits for something, and in which order it ends. */
async function say(waits: string): Promise<{ stdout: string; stderr: string }> {
  const source = `import { whileLoading } from "${ROOT}src/cli/commands/waiting.ts";
    ${waits}`;
  const file = temporaryFile("main.ts", source);
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-check", "--no-prompt", file],
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { stdout: text(stdout), stderr: text(stderr) };
}

Deno.test("what is there at once is waited for in silence, and the process ends", async () => {
  const { stdout, stderr } = await say("console.log(await whileLoading(Promise.resolve(7)));");
  assert.deepEqual([stdout, stderr], ["7\n", ""]);
});

Deno.test("what takes long is announced once, on stderr, and its error is passed on", async () => {
  const { stdout, stderr } = await say(`
    const late = new Promise((_, reject) => setTimeout(() => reject(new Error("late")), 300));
    await whileLoading(late, 1).catch((error) => console.log(error.message));`);
  assert.equal(stdout, "late\n");
  assert.match(stderr, /^Loading the project's packages; .*warm.*\n$/);
});
