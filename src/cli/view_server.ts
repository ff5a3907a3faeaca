/** Serves the page that hosts a view, and the view's tool calls. */

import { basename } from "node:path";
import { isSameSecret } from "../mcp/address.ts";
import { errorMessage } from "../mcp/results.ts";
import { callTool, toRefraktError, unknownTool } from "../tools/call.ts";
import type { CallContext } from "../tools/context.ts";
import { findTool } from "../tools/lookup.ts";
import { shapeResult } from "../tools/shape.ts";
import { shownData } from "../plain_text.ts";
import type { Workspace } from "../tools/workspace.ts";
import { HOST_PAGE, SECRET_HEADER, type ServedView } from "./view_page.ts";

const MOST_BYTES = 1_000_000;

/** The secret of the printed link, and the target of authorized calls. */
interface ViewAccess {
  readonly token: string;
  readonly workspace: Workspace;
  readonly context: CallContext;
}

const HEADERS = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  // The view's frame inherits it and can only connect to this page.
  "content-security-policy": "script-src 'unsafe-inline'; connect-src 'self'; img-src data:; " +
    "object-src 'none'; form-action 'none'; frame-ancestors 'none'",
};

/**
 * Rejects requests for another host or from another origin, and calls without the secret. The page
 * itself needs none: it has nothing of the project.
 */
export function viewHandler(
  view: ServedView,
  access: ViewAccess,
): (request: Request, port: number) => Promise<Response> {
  return async (request, port) => {
    const own = `127.0.0.1:${port}`;
    const origin = request.headers.get("origin");
    // Prevents DNS rebinding, where another host name resolves to this machine.
    if (request.headers.get("host") !== own) return refusal(403, "Unknown host");
    if (origin !== null && origin !== `http://${own}`) return refusal(403, "Unknown origin");
    const { pathname } = new URL(request.url);
    if (pathname === "/" && request.method === "GET") {
      return new Response(HOST_PAGE, {
        headers: { ...HEADERS, "content-type": "text/html; charset=utf-8" },
      });
    }
    if (!isSameSecret(request.headers.get(SECRET_HEADER) ?? "", access.token)) {
      return refusal(403, "This page is of an earlier start: open the link that was printed");
    }
    if (request.method !== "POST") return refusal(404, "Not found");
    if (pathname === "/start") {
      const { document, tool, input, editor } = view;
      return json({ document, tool, input, editor, project: basename(access.context.project.cwd) });
    }
    if (pathname === "/call") return await answer(request, view, access);
    return refusal(404, "Not found");
  };
}

async function answer(request: Request, view: ServedView, access: ViewAccess): Promise<Response> {
  if (!(Number(request.headers.get("content-length") ?? NaN) <= MOST_BYTES)) {
    return refusal(413, `Requests need a Content-Length of at most ${MOST_BYTES} bytes`);
  }
  let call: { name?: unknown; arguments?: unknown };
  try {
    call = Object(await request.json());
  } catch {
    return refusal(400, "The request is not JSON");
  }
  return await answerCall(call, view, access);
}

/** Calls a tool of the view. */
export async function answerCall(
  call: { readonly name?: unknown; readonly arguments?: unknown },
  view: ServedView,
  { workspace, context }: Omit<ViewAccess, "token">,
): Promise<Response> {
  const name = view.tools.find((tool) => tool === call.name);
  if (name === undefined) return refusal(403, "The view may not call this tool");
  const { toolset, tool } = await findTool(workspace, name);
  const own = { ...context, project: toolset.project };
  try {
    if (tool === undefined) throw unknownTool(toolset, name);
    const value = await callTool(tool, call.arguments ?? {}, own);
    return json(shapeResult(value, workspace));
  } catch (error) {
    const known = toRefraktError(error, own, "TOOL_FAILED");
    return json(errorMessage(known));
  }
}

/** The only way out to a view: hidden characters are shown as escapes. */
function json(value: object): Response {
  return Response.json(shownData(value), { headers: HEADERS });
}

function refusal(status: number, text: string): Response {
  return new Response(`${text}\n`, { status, headers: HEADERS });
}
