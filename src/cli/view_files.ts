/** What a previewed page loads: its frame, the frame's script, and the files of its site. */

import { callTool } from "../host/call.ts";
import type { Tool } from "../plugin/tool.ts";
import type { CallContext } from "../plugin/context.ts";

/** A file, or the path below the site's address that it has moved to. */
type PageFile = { readonly type: string; readonly bytes: BodyInit } | { readonly movedTo: string };

/** Headers of every file: a page without an origin of its own may load it, and nobody keeps it. */
const HEADERS = {
  "access-control-allow-origin": "*",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  // An image that is opened by itself, too.
  "content-security-policy": "sandbox; default-src 'none'; style-src 'unsafe-inline'",
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
 * Answers a request below the folder with the secret name.
 *
 * @param folder The address of that folder, with a trailing slash.
 * @param path Below it: the number of a site in the config, and a path.
 * @param script The script of the frame.
 * @param fileTool Returns the files of pages.
 * @returns `undefined` for what does not exist or may not be read.
 */
export async function fileResponse(
  folder: string,
  path: string,
  script: string,
  fileTool: Tool,
  context: CallContext,
): Promise<Response | undefined> {
  const [, number = "", encoded = ""] = /^(\d{1,4})\/(.+)$/.exec(path) ?? [];
  const site = context.project.site?.names[Number(number)];
  if (site === undefined || number === "") return undefined;
  const root = `${folder}${number}/`;
  if (encoded === "frame") {
    const headers = { "content-security-policy": framePolicy(root) };
    return response(FRAME_DOCUMENT, "text/html; charset=utf-8", headers);
  }
  if (encoded === "frame.js") return response(script, "text/javascript; charset=utf-8");
  try {
    const { pathname } = new URL(root);
    const input = { site, path: decodeURIComponent(encoded), root: pathname };
    const { file } = await callTool(fileTool, input, context) as { file?: PageFile };
    if (file === undefined) return undefined;
    if ("movedTo" in file) {
      return new Response(null, {
        status: 302,
        headers: { ...HEADERS, location: pathname + file.movedTo },
      });
    }
    const isText = file.type.startsWith("text/");
    return response(file.bytes, isText ? `${file.type}; charset=utf-8` : file.type);
  } catch {
    // What may not be read looks like what is not there.
    return undefined;
  }
}

function response(body: BodyInit, type: string, headers: Record<string, string> = {}): Response {
  return new Response(body, { headers: { ...HEADERS, "content-type": type, ...headers } });
}
