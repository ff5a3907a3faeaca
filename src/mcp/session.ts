/**
 * What the handlers of one connection share: who is connected, and what a call of
 * theirs is handed.
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
import { withEscapes } from "../plain_text.ts";
import type { CallContext, LogLevel } from "../tools/context.ts";
import type { Toolset } from "../tools/registry.ts";
import type { Workspace } from "../tools/workspace.ts";
import { asking } from "./ask.ts";
import { type NameStyle, nameStyle } from "./clients.ts";
import { declaredCapabilities, declaredLogLevel, declaredName } from "./envelope.ts";
import { isWanted, logLine } from "./log.ts";
import type { ListWatcher } from "./notify.ts";
import { CODES } from "./requests.ts";

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
  /** Watches the project for the client. */
  readonly lists: ListWatcher;
  /** The least severe messages that the client wants. */
  clientLevel: string | undefined;
}

/** The spelling of tool names for the client of a request. */
export function styleFor(session: Session, context: ServerContext): NameStyle {
  return nameStyle(clientOf(session, context), session.options.toolNames);
}

/** What the client of a request calls itself, if it does. */
export function clientOf({ server }: Session, context: ServerContext): string | undefined {
  return declaredName(context) ?? server.getClientVersion()?.name;
}

/** Whether the client shows views: it announces the extension of MCP Apps. */
export function showsViews({ server }: Session, context: ServerContext): boolean {
  const announced = declaredCapabilities(context) ?? server.getClientCapabilities();
  return fieldOf(fieldOf(announced, "extensions"), VIEWS_EXTENSION) !== undefined;
}

/**
 * What a tool, a resource or a prompt is handed.
 *
 * @param session The connection.
 * @param toolset The toolset that it belongs to.
 * @param context The request.
 * @param what Its name, for the log.
 * @param progress Sends its progress; see `withProgress`.
 */
export function contextOf(
  session: Session,
  toolset: Toolset,
  context: ServerContext,
  what: string,
  progress: CallContext["progress"] = () => {},
): CallContext {
  const { mcpReq } = context;
  const level = session.era === "modern" ? declaredLogLevel(context) : session.clientLevel;
  return {
    project: toolset.project,
    signal: mcpReq.signal,
    budget: session.workspace.budget,
    progress,
    log: (severity, said, data) => {
      const message = withEscapes(said);
      logLine(session.options.logLevel ?? "info", severity, what, message, data);
      if (!isWanted(severity, level)) return;
      mcpReq.notify({
        method: "notifications/message",
        params: { level: severity, logger: what, data: { message, ...data } },
      }).catch(() => {});
    },
    ...asking(session, context),
  };
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
