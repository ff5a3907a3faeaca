/** The steps of `smoke.ts` that need git. */

import assert from "node:assert/strict";
import { initialized } from "../support/raw.ts";
import type { StartOptions } from "../support/server.ts";

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
