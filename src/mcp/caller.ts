/** The caller of an MCP request. Log messages go to stderr as JSON lines. */

import type { ServerContext } from "@modelcontextprotocol/server";
import { shownData } from "../plain_text.ts";
import { writeStderr } from "../io/pipes.ts";
import type { CallContext, LogLevel } from "../plugin/context.ts";
import { agentName, type Caller } from "../host/call.ts";
import { clientName, type Session } from "./session.ts";

/** `logger` names the tool, resource or prompt in the log. */
export function callerOf(
  session: Session,
  context: ServerContext,
  logger: string,
  progress: CallContext["progress"] = () => {},
): Caller {
  const { workspace, options } = session;
  return {
    agent: agentName(clientName(session, context), session.agentId),
    signal: context.mcpReq.signal,
    session: workspace,
    budget: workspace.results.budget,
    progress,
    log: (level, message, data) =>
      logLine(options.logLevel ?? "info", level, logger, message, data),
  };
}

/** From the lowest severity. */
const SEVERITY: readonly LogLevel[] = ["debug", "info", "warning", "error"];

export function logLine(
  threshold: LogLevel,
  level: LogLevel,
  logger: string,
  message: string,
  data: Record<string, unknown> = {},
): void {
  if (SEVERITY.indexOf(level) < SEVERITY.indexOf(threshold)) return;
  const line = { timestamp: new Date().toISOString(), level, logger, data: { message, ...data } };
  writeStderr(`${JSON.stringify(shownData(line))}\n`);
}
