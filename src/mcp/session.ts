/**
 * What the handlers of one connection share.
 *
 * @module
 */

import {
  type McpRequestContext,
  ProtocolError,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { fieldOf } from "../io/json.ts";
import type { LogLevel } from "../tools/context.ts";
import type { Toolset } from "../tools/registry.ts";
import type { Workspace } from "../tools/workspace.ts";
import { type NameStyle, nameStyle } from "./clients.ts";
import { declaredCapabilities, declaredName } from "./envelope.ts";
import type { Follower } from "./follower.ts";
import { CODES } from "./invalid_params.ts";
import type { ListName } from "./watcher.ts";

/** The identifier of MCP Apps. */
export const VIEWS_EXTENSION = "io.modelcontextprotocol/ui";

/** How a workspace is served. */
export interface ServeOptions {
  /** The spelling of tool names; chosen by the client's name by default. */
  readonly toolNames?: NameStyle;
  /** The least severe messages that go to stderr; `info` by default. */
  readonly logLevel?: LogLevel;
  /** The least severe messages for a client that has set no level; none by default. */
  readonly clientLogLevel?: LogLevel;
}

/** One connection. */
export interface Session {
  /** The SDK's server. */
  readonly server: Server;
  /** What is served. */
  readonly workspace: Workspace;
  /** How it is served. */
  readonly options: ServeOptions;
  /** The era of the protocol that the client speaks. */
  readonly era: McpRequestContext["era"];
  /** What the client follows. */
  readonly follower: Follower;
  /** The least severe messages that the client wants. */
  clientLevel: string | undefined;
}

/** The spelling of tool names for the client of a request. */
export function styleFor(session: Session, context: ServerContext): NameStyle {
  return nameStyle(clientNameOf(session, context), session.options.toolNames);
}

/** What the client of a request calls itself, if it does. */
export function clientNameOf({ server }: Session, context: ServerContext): string | undefined {
  return declaredName(context) ?? server.getClientVersion()?.name;
}

/** Whether the client shows views: it announces the extension of MCP Apps. */
export function showsViews({ server }: Session, context: ServerContext): boolean {
  const announced = declaredCapabilities(context) ?? server.getClientCapabilities();
  return fieldOf(fieldOf(announced, "extensions"), VIEWS_EXTENSION) !== undefined;
}

/** Notes that the client has a list; in the newer era clients say themselves what they listen to. */
export function noteListed({ era, follower }: Session, list: ListName, toolset: Toolset): void {
  if (era === "legacy") follower.noteListed(list, toolset);
}

/**
 * Makes sure that a list is asked for from its beginning: the lists have one page.
 *
 * @throws {ProtocolError} For any cursor.
 */
export function checkCursor({ params }: { params?: { cursor?: string | undefined } | undefined }) {
  if (params?.cursor === undefined) return;
  throw new ProtocolError(
    CODES.invalidParams,
    `Invalid params: "cursor": ${JSON.stringify(params.cursor.slice(0, 100))} is no cursor of ` +
      "this list, which has one page; ask without one",
  );
}
