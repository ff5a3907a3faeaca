/** What the handlers of one connection share. */

import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  LOG_LEVEL_META_KEY,
  type McpRequestContext,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { fieldOf, textOf } from "../io/json.ts";
import type { LogLevel } from "../tools/context.ts";
import type { Toolset } from "../tools/registry.ts";
import type { Workspace } from "../tools/workspace.ts";
import { type NameStyle, nameStyle } from "./clients.ts";
import { type Follower, type ListName, PERIOD_MS } from "./follower.ts";

/** The identifier of MCP Apps. */
export const VIEWS_EXTENSION = "io.modelcontextprotocol/ui";

export interface ServeOptions {
  /** The spelling of tool names; depends on the client by default. */
  readonly toolNames?: NameStyle;
  /** The lowest severity written to stderr; `info` by default. */
  readonly logLevel?: LogLevel;
  /** The lowest severity for clients that have set no level; none by default. */
  readonly clientLogLevel?: LogLevel;
}

export interface Session {
  readonly server: Server;
  readonly workspace: Workspace;
  readonly options: ServeOptions;
  readonly era: McpRequestContext["era"];
  readonly follower: Follower;
  clientLevel: string | undefined;
}

/** The client's capabilities, in either protocol era. */
export function declaredCapabilities({ server, era }: Session, { mcpReq }: ServerContext): unknown {
  return era === "legacy"
    ? server.getClientCapabilities()
    : fieldOf(mcpReq.envelope, CLIENT_CAPABILITIES_META_KEY);
}

/** The lowest severity that the client wants. */
export function wantedLevel({ era, clientLevel }: Session, { mcpReq }: ServerContext) {
  return era === "legacy" ? clientLevel : textOf(fieldOf(mcpReq.envelope, LOG_LEVEL_META_KEY));
}

export function styleFor(session: Session, context: ServerContext): NameStyle {
  return nameStyle(clientNameOf(session, context), session.options.toolNames);
}

export function clientNameOf({ server }: Session, { mcpReq }: ServerContext): string | undefined {
  return textOf(fieldOf(fieldOf(mcpReq.envelope, CLIENT_INFO_META_KEY), "name")) ??
    server.getClientVersion()?.name;
}

/** Whether the client supports MCP Apps. */
export function showsViews(session: Session, context: ServerContext): boolean {
  const announced = declaredCapabilities(session, context);
  return fieldOf(fieldOf(announced, "extensions"), VIEWS_EXTENSION) !== undefined;
}

/** Follows a list for legacy clients; modern ones subscribe themselves. */
export function noteListed({ era, follower }: Session, list: ListName, toolset: Toolset): void {
  if (era === "legacy") follower.noteListed(list, toolset);
}

/** Rejects any cursor: lists have one page. */
export function checkCursor({ params }: { params?: { cursor?: string | undefined } | undefined }) {
  if (params?.cursor === undefined) return;
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `Invalid params: "cursor": ${JSON.stringify(params.cursor.slice(0, 100))} is unknown: ` +
      "this list has one page; omit the cursor",
  );
}

/** How long clients may cache fixed resources, in milliseconds. */
const FIXED_TTL_MS = 3_600_000;

/** How long modern clients may cache a list: not while packages load. */
export function reuseOfList({ era }: Session, { warnings }: Toolset): { ttlMs?: number } {
  if (era === "legacy") return {};
  return { ttlMs: warnings.some(({ code }) => code === "PLUGINS_LOADING") ? 0 : PERIOD_MS };
}

export function reuseOfResource({ era }: Session, isFixed: boolean): { ttlMs?: number } {
  return era === "legacy" ? {} : { ttlMs: isFixed ? FIXED_TTL_MS : 0 };
}
