/** The caller of an MCP request: its progress goes to the client, its log to stderr as JSON lines. */

import type { ServerContext } from "@modelcontextprotocol/server";
import { agentName, type Caller } from "../host/call.ts";
import { writeStderr } from "../io/pipes.ts";
import { shownData } from "../plain_text.ts";
import type { LogLevel, ProgressUpdate } from "../plugin/context.ts";
import { boundedTitle } from "./results.ts";
import { clientName, type Session } from "./session.ts";

/** The longest time without a progress notification, in milliseconds. */
const BEAT_MS = 1000;

/** By how much an idle notification raises the progress: each must, but never by a whole step. */
const BEAT_STEP = 1e-6;

/** Delay between the last progress notification and the response, in milliseconds. */
const ANSWER_GAP_MS = 2;

/**
 * `logger` names the tool, resource or prompt in the log. The disposal waits until all progress is
 * sent.
 */
export function callerOf(
  session: Session,
  context: ServerContext,
  logger: string,
): Caller & AsyncDisposable {
  const { workspace, options } = session;
  return {
    agent: agentName(clientName(session, context), session.agentId),
    signal: context.mcpReq.signal,
    session: workspace,
    budget: workspace.results.budget,
    log: (level, message, data) =>
      logLine(options.logLevel ?? "info", level, logger, message, data),
    ...progressTo(context),
  };
}

/** Notifies a client that passed a token of the progress, and each second without any. */
function progressTo({ mcpReq }: ServerContext): Pick<Caller, "progress"> & AsyncDisposable {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) {
    return { progress: () => {}, [Symbol.asyncDispose]: () => Promise.resolve() };
  }
  const sent: Promise<void>[] = [];
  let last: ProgressUpdate | undefined;
  let silent = true;
  const send = (update: ProgressUpdate) => {
    const least = last === undefined ? update.progress : last.progress + BEAT_STEP;
    last = { ...update, progress: Math.max(update.progress, least) };
    const message = last.message && boundedTitle(last.message);
    const params = { progressToken, ...last, message };
    sent.push(mcpReq.notify({ method: "notifications/progress", params }).catch(() => {}));
  };
  const timer = setInterval(() => {
    if (silent) send({ message: "Still running", ...last, progress: last?.progress ?? 0 });
    silent = true;
  }, BEAT_MS);
  return {
    progress: (update) => {
      silent = false;
      send(update);
    },
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      await Promise.all(sent);
      // Clients may drop the token when they have parsed the response, even if both arrive in one read.
      if (sent.length > 0) await new Promise((resolve) => setTimeout(resolve, ANSWER_GAP_MS));
    },
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
