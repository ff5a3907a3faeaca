/**
 * The plugin contract: what an npm package exports as `./cli-plugin`, and what a
 * bundled plugin is made of. It is the contract of the refrakt CLI, widened by
 * optional fields; a plugin written for the CLI alone works unchanged.
 *
 * @module
 */

import type { Icon, Meta } from "./content.ts";
import type { LogLevel, ProgressUpdate } from "./context.ts";
import type { Prompt } from "./prompt.ts";
import type { Resource } from "./resource.ts";
import type { SchemaSource } from "./schema.ts";
import type { Skill } from "./skill.ts";
import type { ToolAnnotations } from "./tool.ts";

/** What an `mcpHandler` is told beside its input. */
export interface McpHandlerContext {
  /** The project's directory, absolute. `process.cwd()` may differ. */
  readonly cwd: string;
  /**
   * Where the project's plan is or would be: real, absolute; `null` where its config leads
   * out of the project.
   */
  readonly planDir?: string | null;
  /** Aborts when the client cancels the call. */
  readonly signal: AbortSignal;
  /** Reports progress to clients that asked for it. */
  progress(update: ProgressUpdate): void;
  /** Writes to the server's log. */
  log(level: LogLevel, message: string, data?: Record<string, unknown>): void;
  /** Asks the person to confirm, where the client can. */
  confirm?(question: string): Promise<boolean>;
}

/** One command of a plugin; it becomes the tool `<namespace>.<name>`. */
export interface CliPluginCommand {
  /** The command's name within its namespace. */
  readonly name: string;
  /** What it does, in a sentence. */
  readonly description: string;
  /** The command-line handler; optional where `mcpHandler` is given. */
  readonly handler?: (args: string[]) => void | Promise<void>;
  /** JSON Schema (or Zod, for bundled plugins) of the structured input. */
  readonly inputSchema?: SchemaSource;
  /** JSON Schema (or Zod) of what every success of `mcpHandler` returns. */
  readonly outputSchema?: SchemaSource;
  /**
   * Takes the checked input and returns plain data, or `{ content, structuredContent? }` with
   * MCP's content blocks. It must not print: what it prints ends up in the server's log.
   */
  // deno-lint-ignore no-explicit-any -- a plugin may type its own input
  readonly mcpHandler?: (input: any, context: McpHandlerContext) => unknown;
  /** A short name for people. */
  readonly title?: string;
  /** What the command does to the world. */
  readonly annotations?: ToolAnnotations;
  /** Pictures for clients that show some. */
  readonly icons?: readonly Icon[];
  /** Passed to clients as it is. */
  readonly _meta?: Meta;
  /** A tool name other than `<namespace>.<name>`, for bundled plugins. */
  readonly toolName?: string;
  /** Runs until stopped, or builds a site: reported as available in a shell, not listed. */
  readonly longRunning?: boolean;
  /**
   * Files and folders that it writes, relative to the project. Under `--isolate` a package's
   * command may write these alone, where the server may write them.
   */
  readonly writes?: readonly string[];
}

/** A plugin: a namespace and its commands. */
export interface CliPlugin {
  /** The first part of its tools' names. */
  readonly namespace: string;
  /** Its commands. */
  readonly commands: readonly CliPluginCommand[];
  /** What the plugin is for, in a sentence. */
  readonly description?: string;
  /** Resources, for plugins that have some. */
  readonly resources?: readonly Resource[];
  /** Prompts, for plugins that have some. */
  readonly prompts?: readonly Prompt[];
  /** Skills, for plugins that have some. */
  readonly skills?: readonly Skill[];
}
