/**
 * A server for an embedding program: the workspace, called directly or over a
 * transport of its choice.
 *
 * @module
 */

import type { RefraktServer, ServerOptions } from "./library.ts";
import { createHttpHandler } from "./server/http.ts";
import { createMcpServer } from "./server/server.ts";
import { callTool, readResource, unknownTool } from "./surface/call.ts";
import type { CallContext } from "./surface/context.ts";
import { findTool, surfaceFor } from "./surface/lookup.ts";
import type { Surface } from "./surface/registry.ts";
import { openWorkspace } from "./workspace/mod.ts";

/** Makes the server. */
export function embed(options: ServerOptions): RefraktServer {
  const { maxOutput, toolNames, logLevel = "warning", allowedHosts, ...rest } = options;
  const workspace = openWorkspace({
    ...rest,
    ...(maxOutput === undefined ? {} : { budget: maxOutput }),
  });
  const serving = { logLevel, ...(toolNames === undefined ? {} : { toolNames }) };
  return {
    project: workspace.project,
    listTools: async () =>
      (await workspace.surface()).listedTools().map(({ name, title, description, input }) => ({
        name,
        title,
        description,
        inputSchema: input.json,
      })),
    callTool: async (name, input = {}) => {
      const { surface, tool } = await findTool(workspace, name);
      if (tool === undefined) throw unknownTool(surface, name);
      return await callTool(tool, input, quietContext(surface));
    },
    readResource: async (uri) => {
      const surface = await surfaceFor(workspace, uri);
      const { body } = await readResource(surface, uri, quietContext(surface));
      return "text" in body ? body.text : JSON.stringify(body.data);
    },
    connect: async (transport) => {
      await createMcpServer(workspace, serving).connect(transport);
    },
    fetch: createHttpHandler(workspace, serving, allowedHosts),
  };
}

function quietContext({ project }: Surface): CallContext {
  return { project, signal: new AbortController().signal, progress: () => {}, log: () => {} };
}
