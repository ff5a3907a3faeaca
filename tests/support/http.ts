/** The program as an HTTP server. */

import assert from "node:assert/strict";
import { childEnvironment, commandOf, README_PERMISSIONS, type StartOptions } from "./server.ts";

/** Starts the program, passes its URL to the test, and stops it with a signal. */
export async function withHttp(
  cwd: string,
  args: readonly string[],
  test: (url: URL, pid: number) => Promise<void>,
  options: StartOptions = {},
): Promise<void> {
  const { command, args: words } = commandOf({
    ...options,
    grants: [...(options.grants ?? README_PERMISSIONS), "--allow-net=127.0.0.1,0.0.0.0"],
    args: ["--log-level", "error", ...args],
  });
  const child = new Deno.Command(command, {
    args: words,
    cwd,
    env: childEnvironment(),
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const reader = child.stderr.pipeThrough(new TextDecoderStream()).getReader();
  let said = "";
  while (!/listens on http:.*\n/.test(said)) {
    const { value, done } = await reader.read();
    assert.ok(!done, said);
    said += value;
  }
  const first = /.*listens on http:.*/.exec(said)![0];
  assert.equal(/every user.*--token-file/.test(first), !args.includes("--token-file"), first);
  const url = new URL(/listens on (http:\S+)/.exec(said)![1]!.replace("0.0.0.0", "127.0.0.1"));
  try {
    await test(url, child.pid);
  } finally {
    child.kill("SIGTERM");
    const { code } = await child.status;
    assert.equal(await new Response(child.stdout).text(), "");
    while (!(await reader.read()).done);
    // Windows ends a process without a signal.
    if (options.deno === undefined) assert.equal(code, 143);
  }
}
