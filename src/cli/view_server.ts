/** Serves the page that hosts a view, the view's tool calls, and the files of previewed pages. */

import { basename } from "node:path";
import { nodeModule } from "../io/lazily.ts";
import { isSameSecret } from "../mcp/listen.ts";
import { errorMessage } from "../mcp/results.ts";
import { textOf } from "../io/json.ts";
import { callByName, callTool, toRefraktError } from "../host/call.ts";
import type { CallContext } from "../plugin/context.ts";
import { nameKey, type Tool } from "../plugin/tool.ts";
import { shapeResult } from "../host/shape.ts";
import { shownData } from "../plain_text.ts";
import type { Workspace } from "../host/open_workspace.ts";
import { HOST_PAGE, SECRET_HEADER, type ServedView } from "./view_page.ts";

const MOST_BYTES = 1_000_000;

/** What the policy of a view says of its frames before the port is known. */
const ANY_FRAME = "http://127.0.0.1:*/";

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
  served: ServedView,
  access: ViewAccess,
): (request: Request, port: number) => Promise<Response> {
  const name = folderName(access.token);
  const { view, document, frame, input, editor } = served;
  const fileTool = served.viewTools.find((tool) => tool.name === view.fileTool);
  return async (request, port) => {
    const host = `127.0.0.1:${port}`;
    const folder = `http://${host}/${name}/`;
    // Prevents DNS rebinding, where another host name resolves to this machine.
    if (request.headers.get("host") !== host) return refusal(403, "Unknown host");
    const { pathname } = new URL(request.url);
    const [, first = "", path = ""] = /^\/([^/]+)\/(.*)$/.exec(pathname) ?? [];
    const isFile = request.method === "GET" && isSameSecret(first, name);
    if (frame !== undefined && fileTool !== undefined && isFile) {
      const context = { ...access.context, project: access.workspace.project() };
      const file = await fileResponse(folder, path, frame, fileTool, context);
      return file ?? refusal(404, "Not found");
    }
    const origin = request.headers.get("origin");
    if (origin !== null && origin !== `http://${host}`) return refusal(403, "Unknown origin");
    if (pathname === "/" && request.method === "GET") {
      const headers = { ...HEADERS, "content-type": "text/html; charset=utf-8" };
      return new Response(HOST_PAGE, { headers });
    }
    if (!isSameSecret(request.headers.get(SECRET_HEADER) ?? "", access.token)) {
      return refusal(403, "This page is of an earlier start: open the link that was printed");
    }
    if (request.method !== "POST") return refusal(404, "Not found");
    if (pathname === "/start") {
      const { tool, keepsIn, steps } = view;
      const files = frame === undefined ? undefined : folder;
      const project = basename(access.context.project.cwd);
      const page = document.replace(ANY_FRAME, () => folder);
      return json({ document: page, tool, input, editor, files, project, keepsIn, steps });
    }
    if (pathname === "/call") return await answer(request, served, access);
    return refusal(404, "Not found");
  };
}

async function answer(request: Request, view: ServedView, access: ViewAccess): Promise<Response> {
  if (!(Number(request.headers.get("content-length") ?? NaN) <= MOST_BYTES)) {
    return refusal(413, `Requests need a Content-Length of at most ${MOST_BYTES} bytes`);
  }
  try {
    return await answerCall(Object(await request.json()), view, access);
  } catch {
    return refusal(400, "The request is not JSON");
  }
}

export async function answerCall(
  call: { readonly name?: unknown; readonly arguments?: unknown },
  { view, viewTools }: ServedView,
  { workspace, context: caller }: Omit<ViewAccess, "token">,
): Promise<Response> {
  const context = { ...caller, project: workspace.project() };
  const { arguments: input = {} } = call;
  const name = textOf(call.name) ?? "";
  const viewTool = name === view.tool ? viewTools.find((tool) => tool.name === name) : undefined;
  if (viewTool === undefined && !view.tools.some((tool) => nameKey(tool) === nameKey(name))) {
    return refusal(403, "The view may not call this tool");
  }
  try {
    // The data of the view's own tool has no limit.
    if (viewTool !== undefined) {
      return json({ content: [], structuredContent: await callTool(viewTool, input, context) });
    }
    const { value } = await callByName(workspace, name, input, context);
    return json(shapeResult(value, workspace.results));
  } catch (error) {
    return json(errorMessage(toRefraktError(error, context, "TOOL_FAILED")));
  }
}

/**
 * The secret name of the folder with the files of previewed pages. A page may see the addresses of its
 * files, and learns nothing of the secret from it that calls need.
 */
function folderName(token: string): string {
  const { createHash } = nodeModule("node:crypto");
  return createHash("sha256").update(`files of ${token}`).digest("base64url");
}

/** The only way out to a view: hidden characters are shown as escapes. */
function json(value: object): Response {
  return Response.json(shownData(value), { headers: HEADERS });
}

function refusal(status: number, text: string): Response {
  return new Response(`${text}\n`, { status, headers: HEADERS });
}

/** A file, or the path below the site's address that it has moved to. */
type PageFile = { readonly type: string; readonly bytes: BodyInit } | { readonly movedTo: string };

/** Of an image that is opened by itself, too. */
const FILE_POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'";

/** Headers of every file: a page without an origin of its own may load it. */
const FILE_HEADERS = {
  ...HEADERS,
  "access-control-allow-origin": "*",
  "content-security-policy": FILE_POLICY,
};

/** The document of the frame: the view sends the page to its script. */
const FRAME_DOCUMENT = `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>Preview</title>
<script type="module" src="frame.js"></script></head><body></body></html>
`;

/**
 * The frame has no origin of its own, whoever embeds it. Of its scripts, ours and the packages'
 * behaviours run, and none of the page; it loads from the folder of its site alone.
 */
function framePolicy(folder: string): string {
  return `sandbox allow-scripts; default-src 'none'; ` +
    `script-src ${folder}frame.js ${folder}packages/@refrakt-md/behaviors/; ` +
    `style-src ${folder} 'unsafe-inline'; img-src ${folder} data:; font-src ${folder} data:; ` +
    `media-src ${folder} data:; form-action 'none'; base-uri 'none'`;
}

/**
 * Answers a request below the folder with the secret name; `undefined` for what may not be read.
 *
 * @param path Below the folder: the number of a site in the config, and a path.
 */
async function fileResponse(
  folder: string,
  path: string,
  script: string,
  fileTool: Tool,
  context: CallContext,
): Promise<Response | undefined> {
  const [, number, encoded = ""] = /^(\d{1,4})\/(.+)$/.exec(path) ?? [];
  const site = context.project.site?.names[Number(number)];
  if (site === undefined) return undefined;
  const root = `${folder}${number}/`;
  if (encoded === "frame.js") return response(script, "text/javascript");
  if (encoded === "frame") return response(FRAME_DOCUMENT, "text/html", framePolicy(root));
  try {
    const { pathname } = new URL(root);
    const input = { site, path: decodeURIComponent(encoded), root: pathname };
    const { file } = await callTool(fileTool, input, context) as { file?: PageFile };
    if (file === undefined) return undefined;
    if (!("movedTo" in file)) return response(file.bytes, file.type);
    const headers = { ...FILE_HEADERS, location: pathname + file.movedTo };
    return new Response(null, { status: 302, headers });
  } catch {
    // What may not be read looks like what is not there.
    return undefined;
  }
}

function response(body: BodyInit, type: string, policy = FILE_POLICY): Response {
  const contentType = type.startsWith("text/") ? `${type}; charset=utf-8` : type;
  const headers = { "content-type": contentType, "content-security-policy": policy };
  return new Response(body, { headers: { ...FILE_HEADERS, ...headers } });
}
