/**
 * The library: what `mod.ts` exports. It imports npm packages only when a
 * function is called, so that the program can start far enough to say what is
 * wrong where they cannot be found.
 *
 * @module
 */

import type { CodePolicy } from "../project/code_policy.ts";
import type { DiscoveredPlugin } from "../tools/discovered_plugin.ts";
import type { Project, Warning } from "../project/project.ts";
import type { LogLevel } from "../tools/context.ts";
import type { Contributor } from "../tools/contribution.ts";
import { runtimeProblem } from "../runtime.ts";
import type { Detection } from "../tools/detection.ts";

export type {
  DeclaredCommand,
  DiscoveredPlugin,
  PluginSource,
} from "../tools/discovered_plugin.ts";
export type { Origin } from "../npm/load.ts";
export type {
  BundledSummary,
  Detection,
  Permissions,
  PluginSummary,
  SitePackage,
  SiteReport,
} from "../tools/detection.ts";

/** Which directory to look at. */
export interface DetectOptions {
  /** The project's directory; the process's by default. */
  readonly cwd?: string;
  /** Bundled plugins to turn on, such as `ralph`. */
  readonly plugins?: readonly string[];
  /** Whether tools that write are neither listed nor run. */
  readonly readOnly?: boolean;
  /**
   * How code of the project may run that is not refrakt's own; by default it is not loaded.
   * `isolate` needs `deno run --unstable-worker-options`.
   */
  readonly code?: Partial<CodePolicy>;
}

/** How a server is made. */
export interface ServerOptions extends DetectOptions {
  /** Tools, resources and prompts of the embedding program, after the server's own. */
  readonly contributors?: readonly Contributor[];
  /** The longest result, in characters of compact JSON; 30,000 by default. */
  readonly maxOutput?: number;
  /** The spelling of tool names; what the client can say by default. */
  readonly toolNames?: "dotted" | "underscore";
  /**
   * The host names that `fetch` answers to, without ports; those of the loopback by
   * default. A server for other machines also needs to ask for a token.
   */
  readonly allowedHosts?: readonly string[];
  /** The least severe messages that go to stderr; `warning` by default. */
  readonly logLevel?: LogLevel;
}

/** A listed tool, as a client sees it. */
export interface ListedTool {
  /** The canonical name. */
  readonly name: string;
  /** A short name for people. */
  readonly title: string;
  /** What it does. */
  readonly description: string;
  /** What it takes, as JSON Schema. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** A message channel, as the MCP SDK's transports are. */
export interface ServerTransport {
  /** Begins to deliver messages. */
  start(): Promise<void>;
  /** Sends a JSON-RPC message. */
  // deno-lint-ignore no-explicit-any -- the messages are the SDK's
  send(message: any): Promise<void>;
  /** Ends the channel. */
  close(): Promise<void>;
  /** Set by the server: called when the channel has ended. */
  onclose?: () => void;
  /** Set by the server: called with errors. */
  onerror?: (error: Error) => void;
  /** Set by the server: called with each message. */
  // deno-lint-ignore no-explicit-any -- the messages are the SDK's
  onmessage?: (message: any, extra?: any) => void;
}

/** A server in this process. */
export interface RefraktServer {
  /** The project as it is now. */
  project(): Project;
  /** The tools that apply to the project. */
  listTools(): Promise<ListedTool[]>;
  /**
   * Calls a tool by any spelling of its name, and returns what it returned.
   *
   * @throws {RefraktError} With the code and the hint that a client would get.
   */
  callTool(name: string, input?: Record<string, unknown>): Promise<unknown>;
  /**
   * Reads a resource as text; JSON for those that are data.
   *
   * @throws {RefraktError} With the code and the hint that a client would get.
   */
  readResource(uri: string): Promise<string>;
  /** Serves MCP on a transport of the SDK's, one connection each. */
  connect(transport: ServerTransport): Promise<void>;
  /**
   * Answers one HTTP request of MCP's streamable HTTP transport; refuses those that
   * come for another host than {@linkcode ServerOptions.allowedHosts} names.
   */
  fetch(request: Request): Promise<Response>;
  /** Ends the sessions and streams of {@linkcode RefraktServer.fetch}, so that a listener can stop. */
  close(): Promise<void>;
}

/**
 * Reports what a directory has: plan, sites, plugins, tools, grants, warnings.
 *
 * @example
 * ```ts
 * import { detect } from "@refrakt/mcp";
 *
 * const { plan, tools } = await detect({ cwd: "examples/plan" });
 * console.assert(plan?.fileCount === 8 && tools.includes("plan.next"));
 * ```
 *
 * @throws {RefraktError} `NOT_FOUND` where the directory does not exist.
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
 * @throws {RefraktError} `NOT_FOUND` where the directory does not exist.
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
 * Makes a server to embed. Plugins run inside the guards of the sandbox; what the
 * embedding program itself prints and reads stays as it is.
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
 *   contributors: [() => ({
 *     tools: [defineTool({
 *       name: "team.greet",
 *       title: "Greet",
 *       description: "Says hello.",
 *       input: { type: "object", properties: { name: { type: "string" } } },
 *       run: ({ name }) => ({ greeting: `Hello, ${name ?? "you"}` }),
 *     })],
 *   })],
 * });
 * console.assert((await server.listTools()).some((tool) => tool.name === "team.greet"));
 * ```
 *
 * @example Serve over HTTP, to this machine alone
 * ```ts
 * import { createServer } from "@refrakt/mcp";
 *
 * const server = await createServer({ cwd: "examples/plan" });
 * const http = Deno.serve({ hostname: "127.0.0.1", port: 0 }, server.fetch);
 * await server.close();
 * await http.shutdown();
 * ```
 *
 * @throws {RefraktError} `NOT_FOUND` where the directory does not exist.
 */
export async function createServer(options: ServerOptions = {}): Promise<RefraktServer> {
  const { embed } = await onSupportedRuntime(() => import("./embed.ts"));
  return embed(options);
}

/** Imports what an older runtime cannot load; there it says so instead. */
async function onSupportedRuntime<Module>(load: () => Promise<Module>): Promise<Module> {
  const problem = runtimeProblem();
  if (problem !== undefined) throw new Error(problem);
  return await load();
}
