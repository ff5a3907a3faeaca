/**
 * Serves on the process's stdin and stdout. A client gets its first answer at
 * once; the SDK is loaded behind it.
 *
 * @module
 */

import { reserveStdio } from "../sandbox/pipes.ts";
import { greet } from "./greeting.ts";
import type { ServedWorkspace, ServeOptions } from "./server.ts";

/** How long a client's first message is waited for before the SDK is loaded, in milliseconds. */
const FIRST_MESSAGE = 20;

/**
 * Serves a workspace until stdin ends, and then ends the process.
 *
 * @throws {Error} Where the SDK cannot be loaded.
 */
export async function serveOnStdio(
  workspace: ServedWorkspace,
  options: ServeOptions = {},
): Promise<void> {
  const { input, write } = reserveStdio();
  const reader = input.getReader();
  const pending = reader.read();
  const first = await Promise.race([
    pending,
    new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), FIRST_MESSAGE)),
  ]);
  const greeting = first?.value === undefined
    ? undefined
    : greet(firstLine(first.value), workspace);
  if (greeting !== undefined) {
    await write(new TextEncoder().encode(`${JSON.stringify(greeting)}\n`));
  }
  const { serveTransport } = await import("./transport.ts");
  serveTransport(workspace, options, {
    write,
    greeted: greeting?.id,
    async *input() {
      for (let next = await pending; !next.done; next = await reader.read()) yield next.value;
    },
  });
}

/** The first line of a chunk; empty where it has no whole one. */
function firstLine(chunk: Uint8Array): string {
  const end = chunk.indexOf(10);
  return end === -1 ? "" : new TextDecoder().decode(chunk.subarray(0, end));
}
