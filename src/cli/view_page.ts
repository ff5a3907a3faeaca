/** The page that hosts a view in a browser: the MCP Apps features that the views use, host side. */

import { HIDDEN } from "../plain_text.ts";

/** The header with the secret of the printed link. */
export const SECRET_HEADER = "x-refrakt-secret";

/**
 * The page, with the view in a sandboxed frame without its own origin. It contains no data of the
 * project: the secret comes with the link, behind `#`, and stays in the storage of the page's
 * origin, which has the port, so that other tabs have it, too. The page's query keeps the view's
 * state for reloads, bookmarks and the browser's Back.
 */
export const HOST_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>refrakt</title>
<style>html,body{margin:0;height:100%;overflow:hidden;color-scheme:light dark;font:16px system-ui,sans-serif}iframe{display:block;border:0;width:100%;height:100%}p{padding:10vh 24px;text-align:center}</style>
</head>
<body>
<iframe sandbox="allow-scripts" allow="clipboard-write" title="refrakt"></iframe>
<script>
const KEY = "refrakt-secret";
const VISIT = "refrakt-visit";
if (location.hash.length > 1) {
  localStorage.setItem(KEY, location.hash.slice(1));
  history.replaceState(null, "", location.pathname + location.search);
}
// A new link in the tab of an earlier start changes only what is behind "#".
addEventListener("hashchange", () => location.reload());
const frame = document.querySelector("iframe");
const dark = matchMedia("(prefers-color-scheme: dark)");
const looks = () => ({
  theme: dark.matches ? "dark" : "light",
  containerDimensions: { width: innerWidth, height: innerHeight },
});
const send = (message) => frame.contentWindow.postMessage({ jsonrpc: "2.0", ...message }, "*");
const ask = async (path, body) => {
  const response = await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json", "${SECRET_HEADER}": localStorage.getItem(KEY) ?? "" },
    body: JSON.stringify(body),
  }).catch(() => undefined);
  if (response === undefined) throw new Error("refrakt-mcp has stopped: start it again.");
  if (!response.ok) throw new Error(await response.text());
  return await response.json();
};
let tool, input, editor, files, project, keepsIn, steps;
// A reload within four hours belongs to the same visit.
const lastSeen = localStorage.getItem(VISIT);
const isAgain = sessionStorage.getItem(VISIT) !== null && Date.now() - Date.parse(lastSeen) < 4 * 3600e3;
if (!isAgain) sessionStorage.setItem(VISIT, lastSeen ?? "");
const lastVisit = sessionStorage.getItem(VISIT) || undefined;
const visit = () => localStorage.setItem(VISIT, new Date().toISOString());
addEventListener("pagehide", visit);
document.addEventListener("visibilitychange", visit);
const unicodeEscapes = (hidden) => hidden.replace(/[^]/g, (unit) =>
  "\\\\u" + unit.charCodeAt(0).toString(16).padStart(4, "0"));
const argsOf = () => {
  // Anybody may have written the address.
  const kept = Object.fromEntries([...new URLSearchParams(location.search)]
    .map(([name, value]) => [name, value.replace(${HIDDEN}, unicodeEscapes)]));
  return Object.keys(kept).length === 0 ? input : keepsIn === undefined ? kept : { [keepsIn]: kept };
};
const answers = {
  "ui/initialize": ({ protocolVersion }) => ({
    protocolVersion,
    hostInfo: { name: "refrakt-mcp", version: "1.0.0" },
    hostCapabilities: { serverTools: {}, openLinks: {}, updateModelContext: {} },
    hostContext: {
      toolInfo: { tool: { name: tool } },
      "refrakt/editor": editor,
      "refrakt/files": files,
      "refrakt/last-visit": lastVisit,
      ...looks(),
    },
  }),
  "tools/call": ({ name, arguments: args }) => ask("call", { name, arguments: args }),
  "ui/open-link": ({ url }) => {
    const isFile = editor !== undefined && url.startsWith(editor) && !url.includes("..");
    if (isFile) location.href = url;
    else if (/^https?:/i.test(url)) open(url, "_blank", "noopener,noreferrer");
    else throw new Error("Only http and https links can be opened");
  },
  "ui/update-model-context": ({ structuredContent = {} }) => {
    const state = structuredContent.filter ?? structuredContent;
    const query = new URLSearchParams(state);
    const before = new URLSearchParams(location.search);
    if (query.toString() === before.toString()) return;
    const address = query.size === 0 ? location.pathname : "?" + query;
    // The browser's Back returns from an entity to the board, or to the entity before.
    const isOther = (name) => query.get(name) !== before.get(name) && query.has(name);
    history[steps.some(isOther) ? "pushState" : "replaceState"](null, "", address);
  },
  ping: () => {},
};
const sendInput = () =>
  send({ method: "ui/notifications/tool-input", params: { arguments: argsOf() } });
addEventListener("popstate", sendInput);
addEventListener("message", async ({ source, data }) => {
  if (source !== frame.contentWindow || data?.jsonrpc !== "2.0") return;
  const { id, method, params = {} } = data;
  if (method === "refrakt/title") {
    document.title = String(params.title).slice(0, 200) + " \u2013 refrakt";
  }
  if (method === "ui/notifications/initialized") {
    // Keys work without a click.
    frame.contentWindow.focus();
    sendInput();
  }
  if (id === undefined || method === undefined) return;
  try {
    if (!Object.hasOwn(answers, method)) throw new Error("Unsupported method: " + method);
    send({ id, result: await answers[method](params) ?? {} });
  } catch (error) {
    send({ id, error: { code: -32603, message: error.message } });
  }
});
const sendLooks = () => send({ method: "ui/notifications/host-context-changed", params: looks() });
dark.addEventListener("change", sendLooks);
addEventListener("resize", sendLooks);
ask("start", {}).then((started) => {
  ({ tool, input, editor, files, project, keepsIn, steps } = started);
  document.title = project + " \u2013 refrakt";
  frame.srcdoc = started.document;
}, (error) => {
  const text = { role: "alert", textContent: error.message };
  frame.replaceWith(Object.assign(document.createElement("p"), text));
});
</script>
</body>
</html>
`;
