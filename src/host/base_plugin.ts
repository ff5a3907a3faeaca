/** What the server itself declares in every project: detection, versions, plugins, rests of results. */

import * as z from "zod";
import type { Detection } from "../plugin/detection.ts";
import type { ResultStore } from "./stored_results.ts";
import type { Inventory } from "./inventory.ts";
import type { Plugin } from "../plugin/plugin.ts";
import { defineTool } from "../plugin/tool.ts";
import { pluginsOf, versionsOf } from "./detect.ts";

const NOTHING = z.strictObject({});

export interface BaseSource {
  detection(): Promise<Detection>;
  /** Waits for every plugin. */
  inventory(): Promise<Inventory>;
  readonly results: ResultStore;
}

export function basePlugin(source: BaseSource): Plugin {
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
