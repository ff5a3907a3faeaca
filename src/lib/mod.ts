/**
 * The library. It imports npm packages only when a function is called, so that an unsupported runtime
 * gets a clear error.
 */

import type { Detection, DiscoveredPlugin } from "../plugin/detection.ts";
import { runtimeProblem } from "../runtime.ts";
import type { DetectOptions, RefraktServer, ServerOptions } from "./server_types.ts";

export type * from "../plugin/detection.ts";
export type * from "./server_types.ts";

/**
 * Detects what a directory contains: plan, sites, plugins, tools, permissions, warnings.
 *
 * @param options The directory, and what of it may run.
 * @returns The report of `refrakt_detect`.
 *
 * @example
 * ```ts
 * // deno run --allow-read=. example.ts
 * import { detect } from "jsr:@refrakt/mcp";
 *
 * const { plan, tools } = await detect({ cwd: "." });
 * console.log(plan === null ? "no plan" : `${plan.dir}/ with ${plan.fileCount} files`);
 * console.assert(tools.includes("plan_next") === (plan !== null));
 * ```
 *
 * @throws {RefraktError} `NOT_FOUND` if the directory does not exist.
 */
export async function detect(options: DetectOptions = {}): Promise<Detection> {
  const { openWorkspace } = await onSupportedRuntime(() => import("../host/open_workspace.ts"));
  return await openWorkspace(options).detection();
}

/**
 * Finds and loads the plugins of a directory.
 *
 * @param options The directory, and what of it may run.
 * @returns The plugins with their commands, sorted by namespace. What was not loaded, and why, is
 * in the `warnings` of {@linkcode detect}.
 *
 * @example
 * ```ts
 * // deno run --allow-read=. example.ts
 * import { discoverPlugins } from "jsr:@refrakt/mcp";
 *
 * const plugins = await discoverPlugins({ cwd: "." });
 * for (const { namespace, packageName, commands } of plugins) {
 *   console.log(namespace, packageName, commands.map(({ name }) => name));
 * }
 * console.assert(plugins.every(({ packageVersion }) => packageVersion !== ""));
 * ```
 *
 * @throws {RefraktError} `NOT_FOUND` if the directory does not exist.
 */
export async function discoverPlugins(options: DetectOptions = {}): Promise<DiscoveredPlugin[]> {
  const { openWorkspace } = await onSupportedRuntime(() => import("../host/open_workspace.ts"));
  const { plugins } = await openWorkspace(options).inventory("all");
  return plugins.map(({ summary, commands }) => {
    const { namespace, packageName, packageVersion, source } = summary;
    return { namespace, packageName, packageVersion, commands, source };
  });
}

/**
 * Creates a server to embed. Plugins get stand-ins for modules, which do not affect the embedding
 * program's own output and reads.
 *
 * @param options The directory, and the plugins of the program.
 * @returns A server that is called directly, or serves clients by stdio, HTTP or a transport.
 *
 * @example Call tools without a client
 * ```ts
 * // deno run --allow-read=. example.ts
 * import { createServer } from "jsr:@refrakt/mcp";
 *
 * const server = await createServer();
 * for (const { name, title } of await server.listTools()) console.log(name, title);
 * const { plan } = await server.callTool("refrakt_detect") as { plan: { dir: string } | null };
 * console.assert(plan === null || plan.dir !== "");
 * ```
 *
 * @example Serve over HTTP
 * ```ts
 * // deno run --allow-read=. --allow-net=127.0.0.1 example.ts
 * import { createServer } from "jsr:@refrakt/mcp";
 *
 * const server = await createServer({ name: "team" });
 * const http = Deno.serve({ hostname: "127.0.0.1", port: 0 }, server.fetch);
 * // Until it ends:
 * await server.close();
 * await http.shutdown();
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
