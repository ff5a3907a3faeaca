/** The steps of `smoke.ts` that need git. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { git } from "../support/project.ts";
import { initialized, ok } from "../support/raw.ts";
import type { StartOptions } from "../support/server.ts";

/** A version of a file that a damaged repository lacks. */
export async function loseObject(options: StartOptions, cwd: string): Promise<void> {
  const blob = git(cwd, "rev-parse", "HEAD:plan/work/WORK-011-b.md");
  const path = join(cwd, ".git/objects", blob.slice(0, 2), blob.slice(2));
  Deno.renameSync(path, `${path}.lost`);
  // Another server has read it.
  const server = await initialized(cwd, { ...options, args: ["--no-cache"] });
  const { warnings } = await ok(server, "plan_history", {});
  assert.match(warnings.join(), /Not read: 1 version of files, in /);
  await server.end();
  Deno.renameSync(`${path}.lost`, path);
}

/** A remote that never answers: its connection ends with git's helper. */
export async function endGit(options: StartOptions, cwd: string): Promise<void> {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr as Deno.NetAddr;
  const args = ["--remote", `http://127.0.0.1:${port}/a.git`];
  const server = await initialized(cwd, { ...options, args });
  const claim = { name: "plan_claim", arguments: { id: "WORK-011", assignee: "eve" } };
  server.request("tools/call", claim).catch(() => {});
  using helper = await listener.accept();
  Deno.kill(server.pid, "SIGKILL");
  const start = performance.now();
  await helper.readable.pipeTo(new WritableStream()).catch(() => {});
  assert.ok(performance.now() - start < 180_000);
}
