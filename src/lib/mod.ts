/**
 * The library. It imports npm packages only when a function is called, so that an unsupported runtime
 * gets a clear error.
 */

import type { Detection, DiscoveredPlugin } from "../tools/detection.ts";
import type { Warning } from "../project/project.ts";
import { runtimeProblem } from "../runtime.ts";
import type { DetectOptions, RefraktServer, ServerOptions } from "./server_types.ts";

export type { DiscoveredPlugin, PluginCommand, PluginSource } from "../tools/detection.ts";
export type { Origin, PackageReport } from "../npm/package.ts";
export type {
  BundledSummary,
  Detection,
  Permissions,
  PluginSummary,
  ProjectKind,
  RemoteReport,
  SitePackage,
  SiteReport,
} from "../tools/detection.ts";

export type {
  DetectOptions,
  ListedPrompt,
  ListedResource,
  ListedTool,
  RefraktServer,
  ServerOptions,
  ServerTransport,
} from "./server_types.ts";

/**
 * Detects what a directory contains: plan, sites, plugins, tools, permissions, warnings.
 *
 * @example
 * ```ts
 * import { detect } from "@refrakt/mcp";
 *
 * const { plan, tools } = await detect({ cwd: "examples/plan" });
 * console.assert(plan?.fileCount === 8 && tools.includes("plan.next"));
 * ```
 *
 * @throws {RefraktError} `NOT_FOUND` if the directory does not exist.
 */
export async function detect(options: DetectOptions = {}): Promise<Detection> {
  const { openWorkspace } = await onSupportedRuntime(() => import("../workspace/mod.ts"));
  return await openWorkspace(options).detection();
}

/**
 * Finds and loads the plugins of a directory.
 *
 * @example
 * ```ts
 * import { discoverPlugins } from "@refrakt/mcp";
 *
 * const { plugins } = await discoverPlugins({ cwd: "examples/plan" });
 * console.assert(plugins[0]?.namespace === "plan");
 * ```
 *
 * @throws {RefraktError} `NOT_FOUND` if the directory does not exist.
 */
export async function discoverPlugins(
  options: DetectOptions = {},
): Promise<{ plugins: readonly DiscoveredPlugin[]; warnings: readonly Warning[] }> {
  const { openWorkspace } = await onSupportedRuntime(() => import("../workspace/mod.ts"));
  const workspace = openWorkspace(options);
  const [plugins, { warnings }] = await Promise.all([workspace.plugins(), workspace.detection()]);
  return { plugins, warnings };
}

/**
 * Creates a server to embed. Plugins get stand-ins for modules, which do not affect the embedding
 * program's own output and reads.
 *
 * @example Call tools without a client
 * ```ts
 * import { createServer } from "@refrakt/mcp";
 *
 * const server = await createServer({ cwd: "examples/plan" });
 * const next = await server.callTool("plan.next", { count: 1 });
 * console.assert(next !== null);
 * ```
 *
 * @example Add a tool
 * ```ts
 * import { createServer } from "@refrakt/mcp";
 * import { defineTool } from "@refrakt/mcp/plugin";
 *
 * const server = await createServer({
 *   cwd: "examples/plan",
 *   name: "team",
 *   instructions: "Greet people with team.greet.",
 *   tools: [defineTool({
 *     name: "team.greet",
 *     title: "Greet",
 *     description: "Says hello.",
 *     input: { type: "object", properties: { name: { type: "string" } } },
 *     run: ({ name }) => ({ greeting: `Hello, ${name ?? "you"}` }),
 *   })],
 * });
 * console.assert((await server.listTools()).some((tool) => tool.name === "team.greet"));
 * ```
 *
 * @throws {RefraktError} `NOT_FOUND` if the directory does not exist.
 */
export async function createServer(options: ServerOptions = {}): Promise<RefraktServer> {
  const { embed } = await onSupportedRuntime(() => import("./embed.ts"));
  return embed(options);
}

/** Reports an unsupported runtime instead of a failed import. */
async function onSupportedRuntime<Module>(load: () => Promise<Module>): Promise<Module> {
  const problem = runtimeProblem();
  if (problem !== undefined) throw new Error(problem);
  return await load();
}
