/**
 * What a call is handed: the project, and the ways to its client.
 *
 * @module
 */

import type { ServerContext } from "@modelcontextprotocol/server";
import { withEscapes } from "../plain_text.ts";
import type { CallContext } from "../tools/context.ts";
import type { Toolset } from "../tools/registry.ts";
import { asking } from "./ask.ts";
import { isWanted, logLine } from "./log.ts";
import { type Session, wantedLevel } from "./session.ts";

/** What a tool, a resource or a prompt is handed; `what` is its name, for the log. */
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
