/**
 * Watches what clients were told: resources and the three lists. Each has a stamp, which is
 * compared once a second and after each call, once for all connections.
 *
 * @module
 */

import { fileStamp, NO_FILE } from "../io/stamp.ts";
import { unknownUri } from "../tools/call.ts";
import { toolsetFor } from "../tools/lookup.ts";
import { checkRequirements, type Toolset } from "../tools/registry.ts";
import { matchUri } from "../tools/uri.ts";
import type { Workspace } from "../tools/workspace.ts";

/** How often stamps are compared, in milliseconds. */
export const PERIOD_MS = 1000;

/** The lists that a client can have. */
export type ListName = "tools" | "resources" | "prompts";

/** Something to watch: a list, or a resource by its URI. */
export type Watched = { readonly list: ListName } | { readonly uri: string };

/** Watches for all connections to a workspace. */
export interface Watcher {
  /**
   * Reports each change, until the returned function is called.
   *
   * @param watched What is watched.
   * @param changed Is called after a change.
   * @param stamp The state that the client knows; the present one by default.
   * @throws {RefraktError} `NOT_FOUND` for a resource that does not exist.
   */
  watch(watched: Watched, changed: () => void, stamp?: string): Promise<() => void>;
  /** Compares now; done when every change has been reported. */
  check(): Promise<void>;
}

/** One connection's interest in an entry. */
interface Subscriber {
  /** What the client knows. */
  stamp: string;
  changed(): void;
}

/** What is watched by one or several connections. */
interface Entry {
  /** @param content The stamp of everything that resources show, computed at most once a check. */
  stamp(content: () => string): Promise<string>;
  readonly subscribers: Set<Subscriber>;
}

const watchers = new WeakMap<Workspace, Watcher>();

/** The watcher of a workspace. */
export function watcherOf(workspace: Workspace): Watcher {
  const watcher = watchers.get(workspace) ?? createWatcher(workspace);
  watchers.set(workspace, watcher);
  return watcher;
}

function createWatcher(workspace: Workspace): Watcher {
  const entries = new Map<string, Entry>();
  let timer: ReturnType<typeof setInterval> | undefined;
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const contentOnce = () => {
    let content: string | undefined;
    return () => content ??= `${workspace.project().stamp} ${workspace.contentStamp()}`;
  };
  const compare = async () => {
    const content = contentOnce();
    for (const { stamp: stampOf, subscribers } of [...entries.values()]) {
      // Where the project is just being changed, the next check sees the result.
      const stamp = await stampOf(content).catch(() => undefined);
      if (stamp === undefined) continue;
      for (const subscriber of [...subscribers]) {
        if (subscriber.stamp === stamp) continue;
        subscriber.stamp = stamp;
        subscriber.changed();
      }
    }
  };
  const check = (): Promise<void> => {
    if (entries.size === 0) return Promise.resolve();
    if (running === undefined) return running = compare().finally(() => running = undefined);
    // The running check may have missed a change that came after it began.
    return next ??= running.then(() => {
      next = undefined;
      return check();
    });
  };
  const watch: Watcher["watch"] = async (watched, changed, stamp) => {
    const key = "uri" in watched ? watched.uri : `list ${watched.list}`;
    const entry = entries.get(key) ??
      ("uri" in watched
        ? await resourceEntry(workspace, watched.uri)
        : listEntry(workspace, watched.list));
    const subscriber = { stamp: stamp ?? await entry.stamp(contentOnce()), changed };
    // Another connection may have added it meanwhile.
    const { subscribers } = entries.get(key) ?? entry;
    if (!entries.has(key)) entries.set(key, entry);
    subscribers.add(subscriber);
    timer ??= unrefInterval(() => void check(), PERIOD_MS);
    return () => {
      subscribers.delete(subscriber);
      if (subscribers.size === 0) entries.delete(key);
      if (entries.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    };
  };
  return { watch, check };
}

function unrefInterval(work: () => void, periodMs: number): ReturnType<typeof setInterval> {
  const timer = setInterval(work, periodMs);
  Deno.unrefTimer(timer);
  return timer;
}

function listEntry(workspace: Workspace, list: ListName): Entry {
  return {
    stamp: async () => listStamp(await workspace.toolset(), list),
    subscribers: new Set(),
  };
}

const listStamps = new WeakMap<Toolset, Map<ListName, string>>();

/** The state of a list: names, schemas and descriptions. */
export function listStamp(toolset: Toolset, list: ListName): string {
  const stamps = listStamps.get(toolset) ?? new Map<ListName, string>();
  listStamps.set(toolset, stamps);
  const stamp = stamps.get(list) ?? JSON.stringify(listed(toolset, list));
  stamps.set(list, stamp);
  return stamp;
}

function listed(toolset: Toolset, list: ListName): unknown {
  if (list === "resources") return toolset.listedResources();
  if (list === "prompts") return toolset.listedPrompts();
  return toolset.listedTools().map((
    { name, title, description, input, output, annotations, icons, _meta },
  ) => [name, title, description, input.json, output, annotations, icons, _meta]);
}

/** A resource changes with its file, which may be renamed; without one, with the project. */
async function resourceEntry(workspace: Workspace, uri: string): Promise<Entry> {
  const toolset = await toolsetFor(workspace, uri);
  const match = matchUri(toolset.resources, uri);
  if (match === undefined) throw unknownUri(toolset, uri);
  const { resource, params } = match;
  checkRequirements(workspace.project(), resource.requires ?? []);
  const subscribers = new Set<Subscriber>();
  if (resource.fileOf === undefined) {
    return { stamp: (content) => Promise.resolve(content()), subscribers };
  }
  const find = async () => await resource.fileOf!(params, { project: workspace.project() });
  let file = await find();
  if (file === null) throw unknownUri(toolset, uri);
  return {
    stamp: async () => {
      if (file === null || fileStamp(file) === NO_FILE) file = await find().catch(() => null);
      return file === null ? NO_FILE : `${file} ${fileStamp(file)}`;
    },
    subscribers,
  };
}
