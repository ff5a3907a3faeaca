/** Requests to the server of a view, without a socket. */

import { type ServedView, viewHandler } from "../../src/cli/view_server.ts";
import { terminalContext } from "../../src/cli/commands/command.ts";
import type { Workspace } from "../../src/host/open_workspace.ts";

export const TOKEN = "T".repeat(32);
const PORT = 4711;
export const HOST = `127.0.0.1:${PORT}`;

export function requestsTo(
  view: Omit<ServedView, "token" | "workspace" | "context">,
  workspace: Workspace,
) {
  const context = terminalContext(workspace);
  const handle = viewHandler({ ...view, token: TOKEN, workspace, context });
  return (path: string, init: RequestInit = {}, more: Record<string, string> = {}) => {
    const headers: Record<string, string> = { host: HOST, ...more };
    if (init.method === "POST") headers["content-length"] ??= String(`${init.body ?? ""}`.length);
    return handle(new Request(`http://${HOST}${path}`, { ...init, headers }), PORT);
  };
}
