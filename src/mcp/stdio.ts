/**
 * Serves on the process's stdin and stdout.
 *
 * @module
 */

import { reserveStdio } from "../io/pipes.ts";
import type { Workspace } from "../tools/workspace.ts";
import type { ServeOptions } from "./session.ts";

/**
 * Serves a workspace until stdin ends, and then ends the process.
 *
 * @throws {Error} Where the SDK cannot be loaded.
 */
export async function serveOnStdio(
  workspace: Workspace,
  options: ServeOptions = {},
): Promise<void> {
  const { input, write } = reserveStdio();
  const { serveTransport } = await import("./transport.ts");
  serveTransport(workspace, options, { input: () => input, write });
}
