/**
 * The context of a call. Log messages go to stderr as JSON lines, and to clients that request
 * them as notifications.
 */

import type { ServerContext } from "@modelcontextprotocol/server";
import { shownData } from "../plain_text.ts";
import { writeStderr } from "../io/pipes.ts";
import type { CallContext, LogLevel } from "../tools/context.ts";
import type { Toolset } from "../tools/registry.ts";
import { asking } from "./ask.ts";
import { type Session, wantedLevel } from "./session.ts";

/** `what` names the tool, resource or prompt in the log. */
export function contextOf(
  session: Session,
  toolset: Toolset,
  context: ServerContext,
  what: string,
  progress: CallContext["progress"] = () => {},
): CallContext {
  const { mcpReq } = context;
  const level = wantedLevel(session, context);
  return {
    project: toolset.project,
    signal: mcpReq.signal,
    // Modern requests have no session of their own: that of the process counts.
    session: session.era === "legacy" ? session.server : session.workspace,
    budget: session.workspace.budget,
    progress,
    log: (severity, message, data) => {
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

const SEVERITY = "debug info notice warning error critical alert emergency".split(" ");

function isWanted(level: string, threshold: string | undefined): boolean {
  return threshold !== undefined && SEVERITY.indexOf(level) >= SEVERITY.indexOf(threshold);
}

export function logLine(
  threshold: LogLevel,
  level: LogLevel,
  logger: string,
  message: string,
  data: Record<string, unknown> = {},
): void {
  if (!isWanted(level, threshold)) return;
  const line = { timestamp: new Date().toISOString(), level, logger, data: { message, ...data } };
  writeStderr(`${JSON.stringify(shownData(line))}\n`);
}
