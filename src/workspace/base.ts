/**
 * The tools that every project has: what is here, which version, which plugins.
 *
 * @module
 */

import { z } from "zod";
import type { DiscoveredPlugin } from "../bridge/contract.ts";
import { isLongRunning, toolNameOf } from "../bridge/tools.ts";
import type { Overflow } from "../surface/overflow.ts";
import type { Contribution } from "../surface/contribution.ts";
import { defineTool } from "../surface/tool.ts";
import { VERSION } from "../version.ts";
import type { Detection } from "./detect.ts";

const NOTHING = z.strictObject({});

/** What the base tools ask the workspace. */
export interface BaseSource {
  /** The detection report of the project as it is now. */
  detection(): Promise<Detection>;
  /** The plugins of the project as it is now. */
  plugins(): Promise<readonly DiscoveredPlugin[]>;
  /** Where long results are kept. */
  readonly overflow: Overflow;
}

/** The contribution of the workspace itself. */
export function baseContribution(source: BaseSource): Contribution {
  const readOnly = { readOnlyHint: true, idempotentHint: true, openWorldHint: false };
  return {
    tools: [
      defineTool({
        name: "refrakt.detect",
        title: "Detect the project",
        description: "Reports what this project has (plan, sites, plugins), which tools are " +
          "available, what is granted, and every warning. Call it first, and when a tool is missing.",
        input: NOTHING,
        annotations: readOnly,
        run: () => source.detection(),
      }),
      defineTool({
        name: "refrakt.version",
        title: "Versions",
        description: "Reports the versions of the server, the runtime and the loaded plugins.",
        input: NOTHING,
        annotations: readOnly,
        run: async () => (await source.detection()).versions,
      }),
      defineTool({
        name: "refrakt.plugins_list",
        title: "List plugins",
        description: "Lists the loaded plugins with their versions, how they were found, and for " +
          "each command whether it has schemas and a structured handler.",
        input: NOTHING,
        annotations: readOnly,
        run: async () => ({ plugins: (await source.plugins()).map(describePlugin) }),
      }),
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
      source.overflow.resource,
    ],
  };
}

/** One plugin as `refrakt.plugins_list` shows it. */
function describePlugin(found: DiscoveredPlugin): Record<string, unknown> {
  const { namespace, packageName, packageVersion, versionFrom, source, plugin, declared } = found;
  return {
    namespace,
    packageName,
    packageVersion: source === "bundled" ? VERSION : packageVersion,
    versionFrom,
    source,
    ...(plugin.description === undefined ? {} : { description: plugin.description }),
    commands: declared.map((command) => ({
      name: command.name,
      description: command.description,
      tool: isLongRunning(plugin, command) ? null : toolNameOf(plugin, command),
      hasInputSchema: command.inputSchema !== undefined,
      hasOutputSchema: command.outputSchema !== undefined,
      hasMcpHandler: command.mcpHandler !== undefined,
    })),
  };
}
