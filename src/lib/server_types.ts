/**
 * What an embedding program passes and gets.
 *
 * @module
 */

import type { LogLevel } from "../tools/context.ts";
import type { CodePolicy } from "../project/code_policy.ts";
import type { Project } from "../project/project.ts";
import type { Contributor } from "../tools/contribution.ts";
import type { Tool } from "../tools/tool.ts";

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
export interface ListedTool extends Pick<Tool, "name" | "title" | "description"> {
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
