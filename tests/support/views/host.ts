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
  // Its requests say what it shows: without sessions, the server keeps nothing of a connection.
  versionNegotiation: { mode: { pin: "2026-07-28" } },
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

// What the view asks of a host that tests describe: its context.
const host = JSON.parse(query.get("host") ?? "null") as Record<string, unknown> | null;
const record = { messages: [] as string[], contexts: [] as unknown[], heights: [] as number[] };
Object.assign(globalThis, { record });
const frame = document.createElement("iframe");
frame.sandbox.add("allow-scripts");
document.body.append(frame);
const capabilities = { serverTools: {}, ...host && { message: {}, updateModelContext: {} } };
const hostContext = {
  theme: query.get("theme") === "dark" ? "dark" as const : "light" as const,
  toolInfo: { tool: listed },
  ...host,
};
const info = { name: "view-host", version: "1.0.0" };
const bridge = new AppBridge(client, info, capabilities, { hostContext });
if (host !== null) {
  bridge.onmessage = ({ content }) => {
    record.messages.push(JSON.stringify(content));
    return Promise.resolve({});
  };
  bridge.onupdatemodelcontext = (params) => {
    record.contexts.push(params);
    return Promise.resolve({});
  };
  bridge.onrequestdisplaymode = ({ mode }) => {
    const height = mode === "fullscreen" ? innerHeight : 600;
    bridge.setHostContext({ ...hostContext, displayMode: mode, containerDimensions: { height } });
    return Promise.resolve({ mode });
  };
  // As hosts do: the frame gets the height that the view reports.
  bridge.onsizechange = ({ height = 0 }) => {
    record.heights.push(height);
    frame.style.height = `${height}px`;
  };
}
bridge.oninitialized = () => {
  bridge.sendToolInput({ arguments: input });
  bridge.sendToolResult(result as Parameters<typeof bridge.sendToolResult>[0]);
  document.title = "ready";
};
await bridge.connect(new PostMessageTransport(frame.contentWindow!, frame.contentWindow!));
frame.srcdoc = (contents[0] as { text: string }).text;
