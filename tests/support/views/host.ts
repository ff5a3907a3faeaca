/// <reference lib="dom" />
/** What a host of MCP Apps does, by the official bridge: calls the tool, reads its view, mounts it. */

import {
  AppBridge,
  Client,
  PostMessageTransport,
  StreamableHTTPClientTransport,
} from "../npm/app_bridge.ts";

const query = new URLSearchParams(location.search);
const tool = query.get("tool") ?? "plan_board";
const input = JSON.parse(query.get("input") ?? "{}") as Record<string, unknown>;
const client = new Client({ name: "view-host", version: "1.0.0" }, {
  capabilities: {
    extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } },
  },
});
await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", location.href)));
const { tools } = await client.listTools();
const listed = tools.find(({ name }) => name.replaceAll(".", "_") === tool)!;
const uri = (listed._meta as { ui: { resourceUri: string } }).ui.resourceUri;
performance.mark("call");
const [{ contents }, result] = await Promise.all([
  client.readResource({ uri }),
  client.callTool({ name: listed.name, arguments: input }),
]);
performance.mark("mount");

const frame = document.createElement("iframe");
frame.sandbox.add("allow-scripts");
document.body.append(frame);
const bridge = new AppBridge(client, { name: "view-host", version: "1.0.0" }, { serverTools: {} }, {
  hostContext: {
    theme: query.get("theme") === "dark" ? "dark" : "light",
    toolInfo: { tool: listed },
  },
});
bridge.oninitialized = () => {
  bridge.sendToolInput({ arguments: input });
  bridge.sendToolResult(result as Parameters<typeof bridge.sendToolResult>[0]);
  document.title = "ready";
};
await bridge.connect(new PostMessageTransport(frame.contentWindow!, frame.contentWindow!));
frame.srcdoc = (contents[0] as { text: string }).text;
