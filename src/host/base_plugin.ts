/** What the server itself declares in every project: detection, versions, plugins, rests of results. */

import * as z from "zod";
import type { Detection } from "../plugin/detection.ts";
import type { ResultStore } from "./stored_results.ts";
import type { Inventory } from "./inventory.ts";
import { undoWrite } from "../io/undo.ts";
import type { Plugin } from "../plugin/plugin.ts";
import { defineTool, type Tool } from "../plugin/tool.ts";
import { pluginsOf, versionsOf } from "./detect.ts";

const NOTHING = z.strictObject({});

const UNDONE = z.object({ tool: z.string(), files: z.array(z.string()) });

/** Takes back a write of any tool. */
export const undoTool: Tool = defineTool({
  name: "refrakt_undo",
  title: "Undo a write",
  description: "Takes back a write of any tool of this session, in all of its files or none.",
  input: z.strictObject({
    token: z.string().describe("undo of the write's answer"),
    preview: z.boolean().optional().describe("Writes nothing"),
  }),
  output: UNDONE,
  annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
  writes: true,
  listed: { without: ["plan"] },
  run: async ({ token, preview = false }, { project, signal }) =>
    await undoWrite(project, token, preview, signal),
});

/** @param source Its functions wait for every plugin. */
export function basePlugin(source: {
  detection(): Promise<Detection>;
  inventory(): Promise<Inventory>;
  readonly results: ResultStore;
}): Plugin {
  const readOnly = { readOnlyHint: true, idempotentHint: true, openWorldHint: false };
  return {
    name: "refrakt",
    tools: [
      defineTool({
        name: "refrakt_detect",
        title: "Detect the project",
        description:
          "Plan, sites, plugins, tools, permissions and warnings of this project. Call it when " +
          "a tool is missing.",
        input: NOTHING,
        annotations: readOnly,
        run: () => source.detection(),
      }),
      defineTool({
        name: "refrakt_version",
        title: "Show the versions",
        description: "Versions of the server, the runtime and the loaded plugins.",
        input: NOTHING,
        annotations: readOnly,
        // Elsewhere refrakt_detect has them too.
        listed: { with: ["nothing"] },
        run: async () => versionsOf(await source.inventory()),
      }),
      defineTool({
        name: "refrakt_plugins_list",
        title: "List plugins",
        description: "The loaded plugins: version, source and commands.",
        input: NOTHING,
        annotations: readOnly,
        listed: { to: "none" },
        run: async () => ({ plugins: pluginsOf(await source.inventory()) }),
      }),
      source.results.tool,
      undoTool,
    ],
    resources: [
      {
        uri: "refrakt://detect",
        name: "detect",
        title: "Detection report",
        description: "What this project has and which tools apply; the same as refrakt_detect.",
        mimeType: "application/json",
        read: async () => ({ data: await source.detection() }),
      },
      source.results.resource,
    ],
  };
}
