/** A client that does not read, or asks for much at once. */

import assert from "node:assert/strict";
import { childEnvironment, serverArgs } from "../support/server.ts";
import { makeProject, SMALL_PLAN } from "../support/project.ts";
import { NOT_LINUX, testUnless } from "../support/skip.ts";

const REQUESTS = 6000;

/** The memory that a process holds, in megabytes. */
async function residentOf(pid: number): Promise<number> {
  const status = await Deno.readTextFile(`/proc/${pid}/status`);
  return Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1024;
}

testUnless(
  NOT_LINUX,
  "a client that does not read is not served further, and gets all answers once it reads",
  async () => {
    const child = new Deno.Command(Deno.execPath(), {
      args: serverArgs(),
      cwd: makeProject(SMALL_PLAN),
      env: childEnvironment(),
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    const writer = child.stdin.getWriter();
    const encoder = new TextEncoder();
    const send = (message: Record<string, unknown>) =>
      writer.write(encoder.encode(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`));
    const clientInfo = { name: "raw", version: "1" };
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
    await send({ id: "first", method: "initialize", params });
    await send({ id: "list", method: "tools/list" });
    const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    while (!text.includes('"id":"list"')) text += (await reader.read()).value;
    const before = await residentOf(child.pid);
    let written = false;
    const writing = (async () => {
      for (let id = 0; id < REQUESTS; id++) await send({ id, method: "tools/list" });
      written = true;
    })();
    // Long enough for thousands of answers, had they been made.
    await new Promise((resolve) => setTimeout(resolve, 3000));
    const grown = await residentOf(child.pid) - before;
    assert.ok(grown < 80, `${Math.round(grown)} MB more`);
    let answers = text.split('"id":').length;
    const first = answers;
    while (answers - first < REQUESTS) {
      const { value, done } = await reader.read();
      assert.ok(!done, "the server ended");
      answers += value.split('"jsonrpc":"2.0","id":').length - 1;
      text = "";
    }
    await writing;
    assert.ok(written);
    await writer.close();
    await reader.cancel();
    assert.equal((await child.status).code, 0);
  },
);
