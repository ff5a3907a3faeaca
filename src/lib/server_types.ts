/** The library's types. */

import type { DetectOptions } from "../host/open_project.ts";
import type { LogLevel } from "../plugin/context.ts";
import type { Project } from "../plugin/project.ts";
import type { Plugin } from "../plugin/plugin.ts";
import type { Prompt, PromptMessage } from "../plugin/prompt.ts";
import type { Resource } from "../plugin/resource.ts";
import type { Tool, TypedTool } from "../plugin/tool.ts";

export type { DetectOptions } from "../host/open_project.ts";

/** Options of a server. */
export interface ServerOptions extends Omit<DetectOptions, "plugins"> {
  /** Plugins of the program, and the names of bundled plugins to enable, such as `ralph`. */
  readonly plugins?: readonly (string | Plugin)[];
  /** The server's name for clients; `refrakt` by default. */
  readonly name?: string;
  /** Instructions for the client's model, before those about the project. */
  readonly instructions?: string;
  /** The maximum size of a result, in characters of compact JSON; 30,000 by default. */
  readonly maxOutput?: number;
  /** The spelling of names in the list of tools; `underscore` by default. */
  readonly toolNames?: "dotted" | "underscore";
  /**
   * The host names accepted by `fetch`, without ports; loopback names by default. A server for other
   * machines must also require a token.
   */
  readonly allowedHosts?: readonly string[];
  /** The lowest severity written to stderr; `warning` by default. */
  readonly logLevel?: LogLevel;
}

/** A listed tool. */
export interface ListedTool extends Pick<Tool, "name" | "title" | "description"> {
  /** The JSON Schema of its arguments. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** A listed resource, or a family of resources whose `uri` has parameters in braces. */
export interface ListedResource
  extends Pick<Resource, "uri" | "name" | "title" | "description" | "mimeType"> {}

/** A listed prompt. */
export interface ListedPrompt
  extends Pick<Prompt, "name" | "title" | "description" | "arguments"> {}

/** A message channel, compatible with the MCP SDK's transports. */
export interface ServerTransport {
  /** Starts receiving messages. */
  start(): Promise<void>;
  /** Sends a JSON-RPC message. */
  // deno-lint-ignore no-explicit-any -- the messages are the SDK's
  send(message: any): Promise<void>;
  /** Closes the channel. */
  close(): Promise<void>;
  /** Set by the server: called when the channel is closed. */
  onclose?: () => void;
  /** Set by the server: called with errors. */
  onerror?: (error: Error) => void;
  /** Set by the server: called with each message. */
  // deno-lint-ignore no-explicit-any -- the messages are the SDK's
  onmessage?: (message: any, extra?: any) => void;
}

/** A server in this process. */
export interface RefraktServer {
  /** The current project. */
  project(): Project;
  /** The tools that apply to the project. */
  listTools(): Promise<ListedTool[]>;
  /**
   * Calls a tool by any spelling of its name.
   *
   * @throws {RefraktError} With the code and the hint that a client would get.
   */
  callTool(name: string, input?: Record<string, unknown>): Promise<unknown>;
  /** Calls a tool of the program, with the types that `defineTool` has inferred. */
  callTool<Input, Answer>(tool: TypedTool<Input, Answer>, input: Input): Promise<Awaited<Answer>>;
  /** The resources that apply to the project, with those that have parameters. */
  listResources(): Promise<ListedResource[]>;
  /** The prompts that apply to the project. */
  listPrompts(): Promise<ListedPrompt[]>;
  /**
   * Renders a prompt as messages.
   *
   * @throws {RefraktError} With the code and the hint that a client would get.
   */
  getPrompt(name: string, args?: Record<string, string>): Promise<readonly PromptMessage[]>;
  /**
   * Reads a resource as text; data is JSON.
   *
   * @throws {RefraktError} With the code and the hint that a client would get.
   */
  readResource(uri: string): Promise<string>;
  /**
   * Serves MCP on the process's stdin and stdout, which then belong to the protocol; ends the process
   * when the input ends.
   */
  serveStdio(): Promise<void>;
  /** Serves MCP on a transport of the SDK, one connection each. */
  connect(transport: ServerTransport): Promise<void>;
  /** Answers an HTTP request; rejects hosts other than {@linkcode ServerOptions.allowedHosts}. */
  fetch(request: Request): Promise<Response>;
  /** Closes the streams of {@linkcode RefraktServer.fetch}. */
  close(): Promise<void>;
}
