/** Listens for HTTP requests until a signal ends the process. */

import { exitOnSignals, exitProcess, writeStderr } from "../io/pipes.ts";
import type { Workspace } from "../tools/workspace.ts";
import { type Address, isLoopback, listen, shownAddress } from "./address.ts";
import { createHttpHandler, type HttpOptions } from "./http.ts";
import { refusal } from "./http_sessions.ts";

const PATH = "/mcp";

/** How long running requests may continue after a signal, in milliseconds. */
const GRACE_MS = 5000;

/**
 * Starts listening.
 *
 * @throws {RefraktError} If it cannot.
 */
export function serveOnHttp(
  workspace: Workspace,
  address: Address,
  options: HttpOptions = {},
): void {
  const handler = createHttpHandler(workspace, {
    ...options,
    // With a token, any Host header is accepted.
    ...(isLoopback(address) ? {} : { allowedHosts: [] }),
  });
  const server = listen(address, async (request, info) => {
    if (new URL(request.url).pathname !== PATH) {
      return refusal(404, -32000, `Not found: MCP is at ${PATH}`);
    }
    const gone = new AbortController();
    info.completed.then(() => gone.abort(), () => gone.abort());
    return await handler.fetch(withSignal(request, gone.signal));
  });
  writeStderr(
    `refrakt-mcp listens on http://${shownAddress(server.addr)}${PATH}` +
      (options.token === undefined
        ? " without a token: every user and program of this machine can call every tool " +
          "(--token-file <path> requires a token)\n"
        : " and requires the token\n"),
  );
  void workspace.warm().catch(() => {});
  const stop = async () => {
    const closed = handler.close().then(() => server.shutdown());
    await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, GRACE_MS))]);
    exitProcess(0);
  };
  exitOnSignals("SIGINT", "SIGTERM");
  const signals: Deno.Signal[] = Deno.build.os === "windows" ? ["SIGINT"] : ["SIGINT", "SIGTERM"];
  for (const signal of signals) Deno.addSignalListener(signal, () => void stop());
}

/** Replaces the signal, because the runtime's own aborts before the response ends. */
function withSignal(request: Request, signal: AbortSignal): Request {
  const { url, method, headers, body } = request;
  return new Request(url, { method, headers, signal, ...(body === null ? {} : { body }) });
}
