import assert from "node:assert/strict";
import { isStdioReserved } from "../../src/io/pipes.ts";
import { runProcess } from "../support/process.ts";

const PIPES = new URL("../../src/io/pipes.ts", import.meta.url).href;

function run(code: string, input?: string) {
  const program = `import * as pipes from ${JSON.stringify(PIPES)};\n${code}`;
  return runProcess(
    Deno.execPath(),
    ["eval", "--no-config", "--ext=ts", program],
    Deno.cwd(),
    input,
  );
}

const LONG = 300_000;

Deno.test("both streams are written completely, also beyond a pipe's capacity", async () => {
  const { code, stdout, stderr } = await run(`
    pipes.writeStdout("o".repeat(${LONG}));
    pipes.writeStderr("é".repeat(${LONG}));
    pipes.exitProcess(3);
  `);
  assert.deepEqual([code, stdout.length, stderr], [3, LONG, "é".repeat(LONG)]);
});

Deno.test("reserved streams deliver messages in order", async () => {
  const { code, stdout } = await run(
    `
    const before = pipes.isStdioReserved();
    const { input, write } = pipes.reserveStdio();
    const text = await new Response(input).text();
    const messages = ["a".repeat(${LONG}), text, String(before), String(pipes.isStdioReserved())];
    await Promise.all(messages.map((message) => write(new TextEncoder().encode(message + "\\n"))));
  `,
    "from the client",
  );
  assert.equal(code, 0);
  assert.deepEqual(stdout.split("\n").slice(1), ["from the client", "false", "true", ""]);
  assert.ok(!isStdioReserved(), "a program that imports it keeps its streams");
});
