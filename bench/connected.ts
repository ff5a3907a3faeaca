/** A server that benchmarks call without a client, so that no client is measured. */

import { type Message, type RawServer, startRaw } from "../tests/support/raw.ts";
import type { StartOptions } from "../tests/support/server.ts";

export interface Connected extends RawServer {
  /** Calls a tool, or reads a resource by its address; an error ends the benchmark. */
  call(name: string, args?: Record<string, unknown>): Promise<Message>;
}

/** Starts a server up to its list of tools; `initialized` is told when the first answer is there. */
export async function connected(
  cwd: string,
  options: StartOptions = {},
  initialized: () => void = () => {},
): Promise<Connected> {
  const server = startRaw(cwd, options);
  await server.request("initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "inspector-cli", version: "1.0.0" },
  });
  initialized();
  server.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  await server.request("tools/list", {});
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const answer = name.includes("://")
      ? await server.request("resources/read", { uri: name })
      : await server.request("tools/call", { name, arguments: args });
    if (answer.error === undefined && answer.result?.["isError"] !== true) return answer;
    throw new Error(JSON.stringify(answer).slice(0, 300));
  };
  return { ...server, call };
}

/** The duration of work, in milliseconds. */
export async function timed(run: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await run();
  return performance.now() - started;
}
