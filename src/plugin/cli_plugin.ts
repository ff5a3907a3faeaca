/**
 * The plugin contract: what an npm package exports as `./cli-plugin`. It extends the refrakt CLI's
 * contract by optional fields; plugins written for the CLI work unchanged.
 */

import type { CallContext } from "./context.ts";
import type { SchemaSource } from "./schema.ts";
import type { ToolAnnotations } from "./tool.ts";

/** The context of an `mcpHandler`. */
export interface McpHandlerContext extends Pick<CallContext, "signal" | "progress" | "log"> {
  /** The project's absolute directory; `process.cwd()` may differ. */
  readonly cwd: string;
  /** The plan's real path, existing or not; `null` if configured outside the project. */
  readonly planDir?: string | null;
}

/** A command of a plugin; it becomes the tool `<namespace>.<name>`. */
export interface CliPluginCommand {
  /** The name within the namespace. */
  readonly name: string;
  /** The display name. */
  readonly title?: string;
  /** What it does, in a sentence. */
  readonly description: string;
  /** The command-line handler; optional if there is an `mcpHandler`. */
  readonly handler?: (args: string[]) => void | Promise<void>;
  /** JSON Schema or Zod of the structured input. */
  readonly inputSchema?: SchemaSource;
  /** JSON Schema or Zod of every success of `mcpHandler`. */
  readonly outputSchema?: SchemaSource;
  /**
   * Receives the validated input and returns plain data, or `{ content, structuredContent? }` with MCP
   * content blocks. It must not print: its output goes to the server's log.
   */
  // deno-lint-ignore no-explicit-any -- a plugin may type its own input
  readonly mcpHandler?: (input: any, context: McpHandlerContext) => unknown;
  /** Hints about the command's effects. */
  readonly annotations?: ToolAnnotations;
  /** Runs until stopped, or builds a site: not listed, but reported as a shell command. */
  readonly longRunning?: boolean;
  /** Files and folders it writes, relative to the project. With any, it is not read-only. */
  readonly writes?: readonly string[];
}

/** A plugin: a namespace and its commands. */
export interface CliPlugin {
  /** The first part of its tool names. */
  readonly namespace: string;
  /** Its commands. */
  readonly commands: readonly CliPluginCommand[];
  /** The purpose of the plugin, in a sentence. */
  readonly description?: string;
}

/** The context of a handler in a call. */
export function handlerContext(context: CallContext): McpHandlerContext {
  const { project: { cwd, planDir }, signal, progress, log } = context;
  return { cwd, planDir, signal, progress, log };
}
