/** What the handlers of one connection share: its caller, its client, and the lists that it has sent. */

import type { RefraktError } from "../errors.ts";
import { agentName, type Caller, toRefraktError } from "../host/call.ts";
import type { Inventory } from "../host/inventory.ts";
import type { Workspace } from "../host/open_workspace.ts";
import { fieldOf, textOf } from "../io/json.ts";
import { writeStderr } from "../io/pipes.ts";
import { shownData } from "../plain_text.ts";
import type { LogLevel, ProgressUpdate } from "../plugin/context.ts";
import { type Audience, boundedTitle, completedError } from "./results.ts";
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type McpRequestContext,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";

/** The identifier of MCP Apps. */
export const VIEWS_EXTENSION = "io.modelcontextprotocol/ui";

export interface ServeOptions {
  /** The spelling of names in the list: with a dot after the group, or as they are. */
  readonly toolNames?: "dotted" | "underscore" | undefined;
  /** The lowest severity written to stderr; `info` by default. */
  readonly logLevel?: LogLevel | undefined;
}

export interface Session {
  readonly server: Server;
  readonly workspace: Workspace;
  readonly options: ServeOptions;
  readonly era: McpRequestContext["era"];
  readonly listChanges: ListChanges;
  /** Identifies the connection among those of the same client. */
  readonly agentId: string;
}

/** The name that the client has in either protocol era, if it gives one. */
function clientName({ server, era }: Session, { mcpReq }: ServerContext): string {
  const info = era === "legacy"
    ? server.getClientVersion()
    : fieldOf(mcpReq.envelope, CLIENT_INFO_META_KEY);
  return textOf(fieldOf(info, "name")) ?? "";
}

/** Whether the client, in either protocol era, supports MCP Apps. */
export function showsViews({ server, era }: Session, { mcpReq }: ServerContext): boolean {
  const capabilities = era === "legacy"
    ? server.getClientCapabilities()
    : fieldOf(mcpReq.envelope, CLIENT_CAPABILITIES_META_KEY);
  return fieldOf(fieldOf(capabilities, "extensions"), VIEWS_EXTENSION) !== undefined;
}

/** The audience of an answer now: a call that writes may have changed the lists. */
export async function audienceOf(
  session: Session,
  context: ServerContext,
  called: readonly string[] = [],
): Promise<Audience> {
  const inventory = await session.workspace.inventory("tools");
  const listed = inventory.listedTools(showsViews(session, context)).map(({ name }) => name);
  return { inventory, knownTools: new Set([...listed, ...called]) };
}

/** Converts an error, with the commands of tools in its hint that the client does not list. */
export async function failureOf(
  session: Session,
  context: ServerContext,
  error: unknown,
  code: "TOOL_FAILED" | "RESOURCE_FAILED",
  called?: readonly string[],
): Promise<RefraktError> {
  const call = { project: session.workspace.project(), signal: context.mcpReq.signal };
  const audience = await audienceOf(session, context, called);
  return completedError(toRefraktError(error, call, code), audience);
}

/**
 * Answers the request for a list, which has one page. Modern clients learn how long they may cache
 * it: not while packages load.
 */
export async function answerList<Answer extends object>(
  { era, listChanges, workspace }: Session,
  list: ListName,
  { params }: { params?: { cursor?: string | undefined } | undefined },
  answer: (inventory: Inventory) => Answer,
): Promise<Answer & { ttlMs?: number }> {
  if (params?.cursor !== undefined) {
    const cursor = JSON.stringify(params.cursor.slice(0, 100));
    const message = `Invalid params: "cursor": ${cursor} is unknown: ` +
      "this list has one page; omit the cursor";
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
  }
  const inventory = await workspace.inventory(list === "tools" ? "tools" : "lists");
  listChanges.noteSent(list, inventory);
  if (era === "legacy") return answer(inventory);
  const isLoading = inventory.warnings.some(({ code }) => code === "PLUGINS_LOADING");
  return { ...answer(inventory), ttlMs: isLoading ? 0 : PERIOD_MS };
}

/** How often the lists are compared, in milliseconds. */
export const PERIOD_MS = 1000;

export type ListName = "tools" | "resources" | "prompts";

export type ListChanges = ReturnType<typeof watchLists>;

/**
 * Notices changes of the lists that clients have requested, as when a plan appears or a plugin has
 * loaded: the lists are compared every second, and after each call. `notify` is called once per change.
 */
export function watchLists(workspace: Workspace, notify: (list: ListName) => void) {
  const stamps = new Map<ListName, string>();
  let timer: ReturnType<typeof setInterval> | undefined;
  let comparing: Promise<void> | undefined;
  const update = (list: ListName, inventory: Inventory) => {
    const stamp = listStamp(list, inventory);
    const previous = stamps.get(list);
    stamps.set(list, stamp);
    if (previous !== undefined && previous !== stamp) notify(list);
  };
  const compare = () => {
    if (timer === undefined) return;
    comparing ??= workspace.inventory("lists")
      .then((inventory) => stamps.keys().forEach((list) => update(list, inventory)))
      // The project is changing: the next comparison sees the result.
      .catch(() => {})
      .finally(() => comparing = undefined);
  };
  return {
    noteSent: (list: ListName, inventory: Inventory) => {
      update(list, inventory);
      if (timer !== undefined) return;
      timer = setInterval(compare, PERIOD_MS);
      Deno.unrefTimer(timer);
    },
    compare,
    stop: () => {
      clearInterval(timer);
      timer = undefined;
    },
  };
}

function listStamp(list: ListName, inventory: Inventory): string {
  if (list === "resources") return JSON.stringify(inventory.listedResources());
  if (list === "prompts") return JSON.stringify(inventory.listedPrompts());
  const tools = inventory.listedTools().map((
    { input, output, listed: _listed, ...tool },
  ) => [tool, input.json, output?.json]);
  return JSON.stringify(tools);
}

/** The interval of progress notifications without news, in milliseconds. */
const BEAT_MS = 1000;

/** By how much an idle notification raises the progress: each must, but never by a whole step. */
const BEAT_STEP = 1e-6;

/** Delay between the last progress notification and the response, in milliseconds. */
const ANSWER_GAP_MS = 2;

/** `logger` names the entry in the log. The disposal waits until all progress is sent. */
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
