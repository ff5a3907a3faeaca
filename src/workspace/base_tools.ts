/** The tools of every project: detection, versions, plugins. */

import * as z from "zod";
import { queryTool } from "../query/mod.ts";
import type { QuerySession } from "../query/query_session.ts";
import type { Detection, DiscoveredPlugin } from "../tools/detection.ts";
import type { ResultStore } from "../tools/stored_results.ts";
import { type Contribution, has } from "../tools/registry.ts";
import type { Project } from "../project/project.ts";
import { defineTool } from "../tools/tool.ts";
import { pluginSummary, type versionsOf } from "./detect.ts";

const NOTHING = z.strictObject({});

export interface BaseSource {
  detection(): Promise<Detection>;
  versions(): Promise<ReturnType<typeof versionsOf>>;
  plugins(): Promise<readonly DiscoveredPlugin[]>;
  readonly results: ResultStore;
  readonly query: QuerySession;
}

export function baseContribution(source: BaseSource, project: Project): Contribution {
  const readOnly = { readOnlyHint: true, idempotentHint: true, openWorldHint: false };
  return {
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
        // refrakt_detect has them too.
        listed: { to: "none" },
        run: () => source.versions(),
      }),
      defineTool({
        name: "refrakt_plugins_list",
        title: "List plugins",
        description: "The loaded plugins: versions, how they were found, their commands.",
        input: NOTHING,
        annotations: readOnly,
        listed: { to: "none" },
        run: async () => ({
          plugins: (await source.plugins()).map((found) => ({
            ...pluginSummary(project, found),
            commands: found.commands,
          })),
        }),
      }),
      queryTool(source.query, { plan: has(project, "plan"), pages: has(project, "pages") }),
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
