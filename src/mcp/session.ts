/**
 * What the handlers of one connection share.
 *
 * @module
 */

import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  LOG_LEVEL_META_KEY,
  type McpRequestContext,
  ProtocolError,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { fieldOf, textOf } from "../io/json.ts";
import type { LogLevel } from "../tools/context.ts";
import type { Toolset } from "../tools/registry.ts";
import type { Workspace } from "../tools/workspace.ts";
import { type NameStyle, nameStyle } from "./clients.ts";
import { type Follower, type ListName, PERIOD_MS } from "./follower.ts";
import { CODES } from "./error_codes.ts";

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
  readonly server: Server;
  readonly workspace: Workspace;
  readonly options: ServeOptions;
  readonly era: McpRequestContext["era"];
  readonly follower: Follower;
  clientLevel: string | undefined;
}

/** What the client of a request can do, as it declares it in either era. */
export function declaredCapabilities({ server, era }: Session, { mcpReq }: ServerContext): unknown {
  return era === "legacy"
    ? server.getClientCapabilities()
    : fieldOf(mcpReq.envelope, CLIENT_CAPABILITIES_META_KEY);
}

/** The least severe messages that the client of a request wants. */
export function wantedLevel({ era, clientLevel }: Session, { mcpReq }: ServerContext) {
  return era === "legacy" ? clientLevel : textOf(fieldOf(mcpReq.envelope, LOG_LEVEL_META_KEY));
}

/** The spelling of tool names for the client of a request. */
export function styleFor(session: Session, context: ServerContext): NameStyle {
  return nameStyle(clientNameOf(session, context), session.options.toolNames);
}

/** What the client of a request calls itself, if it does. */
export function clientNameOf({ server }: Session, { mcpReq }: ServerContext): string | undefined {
  return textOf(fieldOf(fieldOf(mcpReq.envelope, CLIENT_INFO_META_KEY), "name")) ??
    server.getClientVersion()?.name;
}

/** Whether the client shows views: it announces the extension of MCP Apps. */
export function showsViews(session: Session, context: ServerContext): boolean {
  const announced = declaredCapabilities(session, context);
  return fieldOf(fieldOf(announced, "extensions"), VIEWS_EXTENSION) !== undefined;
}

/** Notes that the client has a list; in the newer era clients say themselves what they listen to. */
export function noteListed({ era, follower }: Session, list: ListName, toolset: Toolset): void {
  if (era === "legacy") follower.noteListed(list, toolset);
}

/** Refuses any cursor: the lists have one page. */
export function checkCursor({ params }: { params?: { cursor?: string | undefined } | undefined }) {
  if (params?.cursor === undefined) return;
  throw new ProtocolError(
    CODES.invalidParams,
    `Invalid params: "cursor": ${JSON.stringify(params.cursor.slice(0, 100))} is no cursor of ` +
      "this list, which has one page; ask without one",
  );
}

/** For what stays the same as long as the server runs, in milliseconds. */
const FIXED_TTL_MS = 3_600_000;

/**
 * How long clients of the newer era may reuse a list: as long as one that listens for changes would
 * wait for a notification, and not at all while packages are being loaded.
 */
export function reuseOfList({ era }: Session, { warnings }: Toolset): { ttlMs?: number } {
  if (era === "legacy") return {};
  return { ttlMs: warnings.some(({ code }) => code === "PLUGINS_LOADING") ? 0 : PERIOD_MS };
}

/** How long they may reuse a resource: one that is fixed is kept; all others follow files. */
export function reuseOfResource({ era }: Session, isFixed: boolean): { ttlMs?: number } {
  return era === "legacy" ? {} : { ttlMs: isFixed ? FIXED_TTL_MS : 0 };
}
