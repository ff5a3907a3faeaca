/**
 * The tools that every project has: what is here, which version, which plugins.
 *
 * @module
 */

import { z } from "zod";
import type { DiscoveredPlugin } from "../tools/discovered_plugin.ts";
import { isLongRunning, toolNameOf } from "../plugin_host/tools.ts";
import type { ResultStore } from "../tools/stored_results.ts";
import type { Contribution } from "../tools/contribution.ts";
import { defineTool } from "../tools/tool.ts";
import { VERSION } from "../version.ts";
import type { Detection } from "../tools/detection.ts";

const NOTHING = z.strictObject({});

/** What the base tools ask the workspace. */
export interface BaseSource {
  detection(): Promise<Detection>;
  versions(): Promise<Detection["versions"]>;
  plugins(): Promise<readonly DiscoveredPlugin[]>;
  /** Where long results are kept. */
  readonly results: ResultStore;
}

/** The contribution of the workspace itself. */
export function baseContribution(source: BaseSource): Contribution {
  const readOnly = { readOnlyHint: true, idempotentHint: true, openWorldHint: false };
  return {
    tools: [
      defineTool({
        name: "refrakt.detect",
        title: "Detect the project",
        description: "What this project has (plan, sites, plugins), which tools apply, what is " +
          "granted, and every warning. Call it when a tool is missing.",
        input: NOTHING,
        annotations: readOnly,
        run: () => source.detection(),
      }),
      defineTool({
        name: "refrakt.version",
        title: "Versions",
        description: "Versions of the server, the runtime and the loaded plugins.",
        input: NOTHING,
        annotations: readOnly,
        // refrakt.detect says the same.
        unlisted: true,
        run: () => source.versions(),
      }),
      defineTool({
        name: "refrakt.plugins_list",
        title: "List plugins",
        description: "The loaded plugins: versions, how they were found, their commands.",
        input: NOTHING,
        annotations: readOnly,
        unlisted: true,
        run: async () => ({ plugins: (await source.plugins()).map(describePlugin) }),
      }),
      source.results.tool,
    ],
    resources: [
      {
        uri: "refrakt://detect",
        name: "detect",
        title: "Detection report",
        description: "What this project has and which tools apply; the same as refrakt.detect.",
        mimeType: "application/json",
        read: async () => ({ data: await source.detection() }),
      },
      source.results.resource,
    ],
  };
}

/** One plugin as `refrakt.plugins_list` shows it. */
function describePlugin(found: DiscoveredPlugin): Record<string, unknown> {
  const { namespace, packageName, packageVersion, versionFrom, source, plugin } = found;
  return {
    namespace,
    packageName,
    packageVersion: source === "bundled" ? VERSION : packageVersion,
    versionFrom,
    source,
    ...(plugin.description === undefined ? {} : { description: plugin.description }),
    commands: plugin.commands.map((command) => ({
      name: command.name,
      description: command.description,
      hasInputSchema: command.inputSchema !== undefined,
      hasOutputSchema: command.outputSchema !== undefined,
      hasMcpHandler: command.mcpHandler !== undefined,
      // Commands that never end are left to a shell.
      tool: isLongRunning(plugin, command) ? null : toolNameOf(plugin, command),
    })),
  };
}
