/** Serves the page that hosts a view, the view's tool calls, and the files of previewed pages. */

import { basename } from "node:path";
import { nodeModule } from "../io/lazily.ts";
import { isSameSecret } from "../mcp/listen.ts";
import { errorMessage } from "../mcp/results.ts";
import { textOf } from "../io/json.ts";
import { callByName, callTool, toRefraktError } from "../host/call.ts";
import type { CallContext } from "../plugin/context.ts";
import type { BrowserView } from "../plugin/plugin.ts";
import { nameKey, type Tool } from "../plugin/tool.ts";
import { shapeResult } from "../host/shape.ts";
import { shownData } from "../plain_text.ts";
import type { Workspace } from "../host/open_workspace.ts";
import { HOST_PAGE, SECRET_HEADER } from "./view_page.ts";

const MOST_BODY_BYTES = 1_000_000;

/** The frame source in a view's policy, until the port is known. */
const ANY_FRAME = "http://127.0.0.1:*/";

/** A view, the target of its calls, and the secret of the printed link. */
export interface ServedView {
  readonly view: Pick<BrowserView, "tool" | "tools" | "fileTool" | "keepsIn" | "steps">;
  readonly document: string;
  /** The script of the frame in which it shows pages. */
  readonly frame?: string | undefined;
  /** The tools that only views have. */
  readonly viewTools: readonly Tool[];
  /** The arguments of the tool that opens the view. */
  readonly input: Readonly<Record<string, unknown>>;
  /** The address of the project's folder in the user's editor, which files' addresses begin with. */
  readonly editor?: string | undefined;
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
 * needs none: it has no data of the project.
 */
export function viewHandler(
  served: ServedView,
): (request: Request, port: number) => Promise<Response> {
  const { view, document, frame, input, editor, token } = served;
  // The folder's name is a hash: a previewed page sees it, and must not learn the secret of calls.
  const name = nodeModule("node:crypto").createHash("sha256").update(`files of ${token}`)
    .digest("base64url");
  return async (request, port) => {
    const host = `127.0.0.1:${port}`;
    const folder = `http://${host}/${name}/`;
    // Prevents DNS rebinding, where another host name resolves to this machine.
    if (request.headers.get("host") !== host) return deny(403, "Unknown host");
    const { pathname } = new URL(request.url);
    const [, first = "", path = ""] = /^\/([^/]+)\/(.*)$/.exec(pathname) ?? [];
    if (request.method === "GET" && isSameSecret(first, name)) {
      return await siteFile(folder, path, served);
    }
    const origin = request.headers.get("origin");
    if (origin !== null && origin !== `http://${host}`) return deny(403, "Unknown origin");
    if (pathname === "/" && request.method === "GET") {
      const headers = { ...HEADERS, "content-type": "text/html; charset=utf-8" };
      return new Response(HOST_PAGE, { headers });
    }
    if (!isSameSecret(request.headers.get(SECRET_HEADER) ?? "", token)) {
      return deny(403, "This page is of an earlier start: open the link that was printed");
    }
    if (request.method !== "POST") return deny(404, "Not found");
    if (pathname === "/start") {
      const { tool, keepsIn, steps } = view;
      const files = frame === undefined ? undefined : folder;
      const project = basename(served.context.project.cwd);
      const page = document.replace(ANY_FRAME, () => folder);
      return reply({ document: page, tool, input, editor, files, project, keepsIn, steps });
    }
    if (pathname !== "/call") return deny(404, "Not found");
    if (!(Number(request.headers.get("content-length") ?? NaN) <= MOST_BODY_BYTES)) {
      return deny(413, `Requests need a Content-Length of at most ${MOST_BODY_BYTES} bytes`);
    }
    const call = await request.json().catch(() => undefined);
    if (call === undefined) return deny(400, "The request is not JSON");
    return await answerCall(Object(call), served);
  };
}

export async function answerCall(
  call: { readonly name?: unknown; readonly arguments?: unknown },
  { view, viewTools, workspace, context: caller }: ServedView,
): Promise<Response> {
  const context = { ...caller, project: workspace.project() };
  const { arguments: input = {} } = call;
  const name = textOf(call.name) ?? "";
  const viewTool = name === view.tool ? viewTools.find((tool) => tool.name === name) : undefined;
  if (viewTool === undefined && !view.tools.some((tool) => nameKey(tool) === nameKey(name))) {
    return deny(403, "The view may not call this tool");
  }
  try {
    // Data for the view's own tool is not truncated.
    if (viewTool !== undefined) {
      return reply({ content: [], structuredContent: await callTool(viewTool, input, context) });
    }
    const { value } = await callByName(workspace, name, input, context);
    return reply(shapeResult(value, workspace.results));
  } catch (error) {
    return reply(errorMessage(toRefraktError(error, context, "TOOL_FAILED")));
  }
}

/** The answer to a view, with hidden characters as escapes. Every answer passes here. */
function reply(value: object): Response {
  return Response.json(shownData(value), { headers: HEADERS });
}

function deny(status: number, text: string): Response {
  return new Response(`${text}\n`, { status, headers: HEADERS });
}

/** The document of the frame: the view sends the page to its script. */
const FRAME_DOCUMENT = `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>Preview</title>
<script type="module" src="frame.js"></script></head><body></body></html>
`;

/**
 * The frame has no origin of its own, whoever embeds it. It runs this package's script and the
 * packages' behaviours, none of the page, and loads only files of its site.
 */
function framePolicy(folder: string): string {
  return `sandbox allow-scripts; default-src 'none'; ` +
    `script-src ${folder}frame.js ${folder}packages/@refrakt-md/behaviors/; ` +
    `style-src ${folder} 'unsafe-inline'; img-src ${folder} data:; font-src ${folder} data:; ` +
    `media-src ${folder} data:; form-action 'none'; base-uri 'none'`;
}

/**
 * Answers a request below the folder with the secret name. Unreadable files answer like missing
 * ones.
 *
 * @param path Below the folder: the number of a site in the config, and a path.
 */
async function siteFile(folder: string, path: string, served: ServedView): Promise<Response> {
  const project = served.workspace.project();
  const [, number, encoded = ""] = /^(\d{1,4})\/(.+)$/.exec(path) ?? [];
  const site = project.site?.names[Number(number)];
  const fileTool = served.viewTools.find((tool) => tool.name === served.view.fileTool);
  if (served.frame === undefined || fileTool === undefined || site === undefined) {
    return deny(404, "Not found");
  }
  const { href, pathname } = new URL(`${folder}${number}/`);
  if (encoded === "frame.js") return fileResponse(served.frame, "text/javascript");
  if (encoded === "frame") return fileResponse(FRAME_DOCUMENT, "text/html", framePolicy(href));
  try {
    const input = { site, path: decodeURIComponent(encoded), root: pathname };
    // The file, or the path below the site's address that it has moved to.
    const { file } = await callTool(fileTool, input, { ...served.context, project }) as {
      file?: { readonly type: string; readonly bytes: BodyInit } | { readonly movedTo: string };
    };
    if (file === undefined) return deny(404, "Not found");
    if ("bytes" in file) return fileResponse(file.bytes, file.type);
    const headers = { ...FILE_HEADERS, location: pathname + file.movedTo };
    return new Response(null, { status: 302, headers });
  } catch {
    return deny(404, "Not found");
  }
}

/** A page without an origin of its own may load any file. */
const FILE_HEADERS = { ...HEADERS, "access-control-allow-origin": "*" };

/** @param policy By default for an image, also one that is opened directly. */
function fileResponse(
  body: BodyInit,
  type: string,
  policy = "sandbox; default-src 'none'; style-src 'unsafe-inline'",
): Response {
  const contentType = type.startsWith("text/") ? `${type}; charset=utf-8` : type;
  const headers = { "content-type": contentType, "content-security-policy": policy };
  return new Response(body, { headers: { ...FILE_HEADERS, ...headers } });
}
