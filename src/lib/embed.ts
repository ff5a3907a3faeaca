/** A server for embedding programs. */

import { RefraktError } from "../errors.ts";
import type { RefraktServer, ServerOptions } from "./server_types.ts";
import { createHttpHandler } from "../mcp/http.ts";
import { createMcpServer } from "../mcp/server.ts";
import { shownData, withEscapes } from "../plain_text.ts";
import { callByName, quietCaller } from "../host/call.ts";
import { readResource, renderPrompt } from "../host/read.ts";
import { asObject } from "../io/json.ts";
import type { Plugin } from "../plugin/plugin.ts";
import type { Tool } from "../plugin/tool.ts";
import { isTextResult } from "../plugin/result.ts";
import { isStatic, uriTemplate } from "../plugin/uri.ts";
import { bodyText } from "../plugin/resource.ts";
import { verified } from "../host/npm_plugin.ts";
import { openWorkspace } from "../host/open_workspace.ts";

export function embed(options: ServerOptions): RefraktServer {
  const { maxOutput, toolNames, logLevel = "warning", allowedHosts, plugins = [], ...opened } =
    options;
  const workspace = openWorkspace({
    ...opened,
    plugins: plugins.filter((plugin) => typeof plugin === "string"),
    embedded: plugins.filter((plugin) => typeof plugin !== "string").map(withVerifiedTools),
    budget: maxOutput,
  });
  const serving = { logLevel, toolNames };
  const http = createHttpHandler(workspace, { ...serving, allowedHosts });
  return {
    project: workspace.project,
    listTools: async () => {
      // A list without notifications must be complete.
      const tools = (await workspace.inventory("all")).listedTools();
      return shownData(tools.map(({ name, title, description, input: { json: inputSchema } }) => (
        { name, title, description, inputSchema }
      )));
    },
    callTool: async (tool: string | Tool, input: unknown = {}) => {
      const name = typeof tool === "string" ? tool : tool.name;
      const call = callByName(workspace, name, asObject(input), quietCaller());
      const { value } = await shownErrors(call);
      return isTextResult(value)
        ? { ...value, text: withEscapes(value.text), data: shownData(value.data) }
        : shownData(value);
    },
    listResources: async () => {
      const all = (await workspace.inventory("all")).listedResources();
      return shownData(all.map((resource) => {
        const { name, title, description, mimeType } = resource;
        const uri = isStatic(resource) ? resource.uri : uriTemplate(resource);
        return { uri, name, title, description, mimeType };
      }));
    },
    listPrompts: async () => {
      const all = (await workspace.inventory("all")).listedPrompts();
      return shownData(all.map(({ render: _render, requires: _requires, ...listed }) => listed));
    },
    getPrompt: async (name, args = {}) => {
      const { messages } = await shownErrors(renderPrompt(workspace, name, args, quietCaller()));
      return shownData(messages);
    },
    serveStdio: async () => {
      const { serveOnStdio } = await import("../mcp/stdio.ts");
      await serveOnStdio(workspace, serving);
    },
    readResource: async (uri) => {
      const { body } = await shownErrors(readResource(workspace, uri, quietCaller()));
      return bodyText(body);
    },
    connect: async (transport) => {
      await createMcpServer(workspace, serving).connect(transport);
    },
    fetch: http.fetch,
    close: http.close,
  };
}

/** The plugin of a program, with tools whose answers are checked. */
function withVerifiedTools({ tools = [], ...plugin }: Plugin): Plugin {
  return {
    ...plugin,
    tools: async (...facts) => {
      const declared = typeof tools === "function" ? await tools(...facts) : tools;
      return declared.map((tool) => verified(tool));
    },
  };
}

/** Shows hidden characters in errors, as messages to clients do. */
async function shownErrors<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof RefraktError)) throw error;
    const { code, message, hint, data } = error;
    throw new RefraktError(code, withEscapes(message), {
      hint: hint && withEscapes(hint),
      data: data && shownData(data),
      cause: error,
    });
  }
}
