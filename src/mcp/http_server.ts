/** Listens for HTTP requests until a signal ends the process. */

import { exitOnSignals, exitProcess, writeStderr } from "../io/pipes.ts";
import type { Workspace } from "../tools/workspace.ts";
import { type Address, isLoopback, shownAddress } from "./address.ts";
import { createHttpHandler, type HttpOptions } from "./http.ts";
import { refusal } from "./http_sessions.ts";
import { listen } from "./listen.ts";

const PATH = "/mcp";

/** How long running requests may continue after a signal, in milliseconds. */
const GRACE_MS = 5000;

/**
 * Starts listening.
 *
 * @throws {RefraktError} If it cannot.
 */
export async function serveOnHttp(
  workspace: Workspace,
  address: Address,
  options: HttpOptions = {},
): Promise<void> {
  const handler = createHttpHandler(workspace, {
    ...options,
    // With a token, any Host header is accepted.
    ...(isLoopback(address) ? {} : { allowedHosts: [] }),
  });
  const server = await listen(address, async (request) => {
    if (new URL(request.url).pathname !== PATH) {
      return refusal(404, -32000, `Not found: MCP is at ${PATH}`);
    }
    return await handler.fetch(request);
  });
  writeStderr(
    `refrakt-mcp listens on http://${shownAddress(server.address)}${PATH}` +
      (options.token === undefined
        ? " without a token: every user and program of this machine can call every tool " +
          "(--token-file <path> requires a token)\n"
        : " and requires the token\n"),
  );
  void workspace.warm().catch(() => {});
  const stop = async () => {
    server.close();
    const closed = handler.close().then(() => server.closed);
    await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, GRACE_MS))]);
    exitProcess(0);
  };
  exitOnSignals("SIGINT", "SIGTERM");
  const signals: Deno.Signal[] = Deno.build.os === "windows" ? ["SIGINT"] : ["SIGINT", "SIGTERM"];
  for (const signal of signals) Deno.addSignalListener(signal, () => void stop());
}
