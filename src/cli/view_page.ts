/** The page that hosts a view in a browser: the MCP Apps features that the views use, host side. */

export interface ServedView {
  /** The HTML document. */
  readonly document: string;
  /** The tool that opens the view. */
  readonly tool: string;
  /** The tools that the view may call. */
  readonly tools: readonly string[];
  /** The arguments of the tool that opens the view. */
  readonly input: Readonly<Record<string, unknown>>;
  /** The address of the project's folder in the user's editor, which files' addresses begin with. */
  readonly editor?: string | undefined;
}

/**
 * The page, with the view in a sandboxed frame without its own origin. The page's query keeps the
 * view's state for reloads and bookmarks.
 */
export function hostPage({ document, tool, input, editor }: ServedView): string {
  // `</script>` in the data must not end the script.
  const data = JSON.stringify({ document, tool, input, editor }).replaceAll("<", "\\u003c");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>refrakt</title>
<style>html,body{margin:0;height:100%;color-scheme:light dark}iframe{display:block;border:0;width:100%;height:100%}</style>
</head>
<body>
<iframe sandbox="allow-scripts" title="refrakt"></iframe>
<script>
const { document: view, tool, input, editor } = ${data};
const frame = document.querySelector("iframe");
const dark = matchMedia("(prefers-color-scheme: dark)");
const theme = () => dark.matches ? "dark" : "light";
const kept = Object.fromEntries(new URLSearchParams(location.search));
const isKept = Object.keys(kept).length > 0;
const args = !isKept ? input : tool === "plan.board" ? { filter: kept } : kept;
const send = (message) => frame.contentWindow.postMessage({ jsonrpc: "2.0", ...message }, "*");
const answers = {
  "ui/initialize": ({ protocolVersion }) => ({
    protocolVersion,
    hostInfo: { name: "refrakt-mcp", version: "1.0.0" },
    hostCapabilities: { serverTools: {}, openLinks: {}, updateModelContext: {} },
    hostContext: { theme: theme(), toolInfo: { tool: { name: tool } }, "refrakt/editor": editor },
  }),
  "tools/call": async ({ name, arguments: args }) => {
    const response = await fetch("call", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name, arguments: args }),
    }).catch(() => undefined);
    if (response === undefined) throw new Error("refrakt-mcp has stopped: start it again.");
    if (!response.ok) throw new Error(await response.text());
    return await response.json();
  },
  "ui/open-link": ({ url }) => {
    if (editor !== undefined && url.startsWith(editor) && !url.includes("..")) {
      location.href = url;
      return {};
    }
    if (!/^https?:/i.test(url)) throw new Error("Only http and https links can be opened");
    open(url, "_blank", "noopener,noreferrer");
    return {};
  },
  "ui/update-model-context": ({ structuredContent = {} }) => {
    const query = new URLSearchParams(structuredContent.filter ?? structuredContent);
    history.replaceState(null, "", query.size === 0 ? location.pathname : "?" + query);
    return {};
  },
  ping: () => ({}),
};
addEventListener("message", async ({ source, data }) => {
  if (source !== frame.contentWindow || data?.jsonrpc !== "2.0") return;
  const { id, method, params = {} } = data;
  if (method === "ui/notifications/initialized") {
    send({ method: "ui/notifications/tool-input", params: { arguments: args } });
  }
  if (id === undefined || method === undefined) return;
  try {
    if (!Object.hasOwn(answers, method)) throw new Error("Unsupported method: " + method);
    send({ id, result: await answers[method](params) });
  } catch (error) {
    send({ id, error: { code: -32603, message: error.message } });
  }
});
dark.addEventListener("change", () =>
  send({ method: "ui/notifications/host-context-changed", params: { theme: theme() } }));
frame.srcdoc = view;
</script>
</body>
</html>
`;
}
