/**
 * Tracks what one client follows: lists that it has requested or listens to, and resources. Their
 * stamps are compared every second and after each call, and the client is notified of changes.
 */

import type { ServerNotifier } from "@modelcontextprotocol/server";
import { RefraktError } from "../errors.ts";
import { fieldOf, textsOf } from "../io/json.ts";
import { fileStamp, NO_FILE } from "../io/stamp.ts";
import { withTimeLimit } from "../io/time_limit.ts";
import { unknownUri } from "../tools/call.ts";
import { toolsetFor } from "../tools/lookup.ts";
import type { Prompt } from "../tools/prompt.ts";
import { checkRequirements, type Toolset } from "../tools/registry.ts";
import type { Resource } from "../tools/resource.ts";
import type { ListedTool } from "../tools/tool.ts";
import { matchUri } from "../tools/uri.ts";
import type { ToolList, Workspace } from "../tools/workspace.ts";

/** Limit of followed resources per client. */
export const MOST_SUBSCRIPTIONS = 200;

/** How often stamps are compared, in milliseconds. */
export const PERIOD_MS = 1000;

/** How long a `subscriptions/listen` waits for plugins, in milliseconds. */
const LISTEN_MS = 5000;

export type ListName = "tools" | "resources" | "prompts";

export interface Follower {
  notifyBy(notifier: ServerNotifier): void;
  noteListed(list: ListName, listed: ToolList | Toolset): void;
  /** Throws `NOT_FOUND`, or `INVALID_ARGS` at the limit. */
  subscribe(uri: string): Promise<void>;
  unsubscribe(uri: string): void;
  /** Starts a `subscriptions/listen`; resolves to `false` if it was ended meanwhile. */
  listen(id: unknown, params: unknown): Promise<boolean>;
  endListening(id: unknown): void;
  /** Starts a comparison in the background. */
  check(): void;
  stop(): void;
}

/** Computes a stamp; `content` returns the stamp of all files that resources show. */
type StampOf = (content: () => string) => string | Promise<string>;

interface Followed {
  readonly stampOf: StampOf;
  stamp: string;
}

/** Keys of the lists; they contain a space, which URIs cannot. */
const LISTS: Readonly<Record<ListName, string>> = {
  tools: "list tools",
  resources: "list resources",
  prompts: "list prompts",
};

export function createFollower(workspace: Workspace, most = MOST_SUBSCRIPTIONS): Follower {
  const followed = new Map<string, Promise<Followed>>();
  const listening = new Map<unknown, readonly string[]>();
  let notifier: ServerNotifier | undefined;
  let timer: ReturnType<typeof setInterval> | undefined;
  let comparing: Promise<void> | undefined;
  let isOutdated = false;

  /** Computes the content stamp at most once per comparison. */
  const contentOnce = () => {
    let content: string | undefined;
    return () => content ??= workspace.contentStamp();
  };
  const compare = async () => {
    const content = contentOnce();
    for (const [key, entry] of [...followed]) {
      try {
        const known = await entry;
        const stamp = await known.stampOf(content);
        if (stamp === known.stamp || followed.get(key) !== entry) continue;
        known.stamp = stamp;
        notify(key);
      } catch {
        // The project is changing: the next comparison sees the result.
      }
    }
  };
  const check = () => {
    // The running comparison may have missed a change after its start.
    if (comparing !== undefined) isOutdated = true;
    else if (followed.size > 0) {
      comparing = compare().finally(() => {
        comparing = undefined;
        if (isOutdated) check();
      });
      isOutdated = false;
    }
  };
  const notify = (key: string) => {
    if (key === LISTS.tools) notifier?.toolsChanged();
    else if (key === LISTS.resources) notifier?.resourcesChanged();
    else if (key === LISTS.prompts) notifier?.promptsChanged();
    else notifier?.resourceUpdated(key);
  };
  const follow = async (key: string, start: () => StampOf | Promise<StampOf>, stamp?: string) => {
    const begin = async (): Promise<Followed> => {
      const stampOf = await start();
      return { stampOf, stamp: stamp ?? await stampOf(contentOnce()) };
    };
    const entry = begin();
    followed.set(key, entry);
    if (timer === undefined) {
      timer = setInterval(check, PERIOD_MS);
      Deno.unrefTimer(timer);
    }
    try {
      await entry;
    } catch (error) {
      if (followed.get(key) === entry) unfollow(key);
      throw error;
    }
  };
  const followList = (list: ListName, listed?: ToolList | Toolset) =>
    follow(
      LISTS[list],
      () => async () => listStamp(await workspace.toolset(), list),
      listed && listStamp(listed, list),
    );
  const unfollow = (key: string) => {
    followed.delete(key);
    if (followed.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  const hasRoom = () => [...followed.keys()].filter((key) => !key.includes(" ")).length < most;
  return {
    notifyBy: (given) => notifier = given,
    noteListed: (list, listed) => void followList(list, listed).catch(() => {}),
    subscribe: async (uri) => {
      if (followed.has(uri)) return void await followed.get(uri);
      if (!hasRoom()) {
        throw new RefraktError("INVALID_ARGS", `The limit of ${most} subscriptions is reached`, {
          hint: "Unsubscribe from some; refrakt://plan/index changes with every entity.",
        });
      }
      await follow(uri, () => resourceStamp(workspace, uri));
    },
    unsubscribe: unfollow,
    listen: async (id, params) => {
      const filter = fieldOf(params, "notifications");
      const lists = (["tools", "resources", "prompts"] as const)
        .filter((list) => fieldOf(filter, `${list}ListChanged`) === true);
      const uris = textsOf(fieldOf(filter, "resourceSubscriptions"));
      listening.set(id, [...lists.map((list) => LISTS[list]), ...uris]);
      const begun: Promise<unknown>[] = [];
      for (const list of lists) if (!followed.has(LISTS[list])) begun.push(followList(list));
      for (const uri of uris) {
        if (followed.has(uri) || !hasRoom()) continue;
        begun.push(follow(uri, () => resourceStamp(workspace, uri)));
      }
      // Missing resources never change.
      await withTimeLimit(LISTEN_MS, Promise.allSettled(begun), () => {});
      return listening.has(id);
    },
    endListening: (id) => {
      const keys = listening.get(id) ?? [];
      listening.delete(id);
      const wanted = new Set([...listening.values()].flat());
      for (const key of keys) if (!wanted.has(key)) unfollow(key);
    },
    check,
    stop: () => {
      for (const key of [...followed.keys()]) unfollow(key);
    },
  };
}

/** By toolset and what is listed of it, which can change: a merge lists the tools for it. */
const listStamps = new WeakMap<ToolList, Map<string, string>>();

function entriesOf(listed: ToolList | Toolset, list: ListName) {
  if (list === "tools" || !("listedResources" in listed)) return listed.listedTools();
  return list === "resources" ? listed.listedResources() : listed.listedPrompts();
}

function listStamp(listed: ToolList | Toolset, list: ListName): string {
  const stamps = listStamps.getOrInsertComputed(listed, () => new Map());
  const entries = entriesOf(listed, list);
  const key = `${list} ${entries.map(({ name }) => name)}`;
  return stamps.getOrInsertComputed(key, () => JSON.stringify(entries.map(shownEntry)));
}

function shownEntry(entry: ListedTool | Resource | Prompt): unknown {
  if (!("input" in entry)) return entry;
  const { name, title, description, input, output, annotations, icons, _meta } = entry;
  return [name, title, description, input.json, output?.json, annotations, icons, _meta];
}

/** Stamps a resource by its file, which may be renamed, or by the project if it has no file. */
async function resourceStamp(workspace: Workspace, uri: string): Promise<StampOf> {
  const toolset = await toolsetFor(workspace, uri);
  const match = matchUri(toolset.resources, uri);
  if (match === undefined) throw unknownUri(toolset, uri);
  const { resource, params } = match;
  checkRequirements(workspace.project(), resource.requires ?? []);
  if (resource.fileOf === undefined) return (content) => content();
  const find = async () => await resource.fileOf!(params, { project: workspace.project() });
  let file = await find();
  if (file === null) throw unknownUri(toolset, uri);
  return async () => {
    if (file === null || fileStamp(file) === NO_FILE) file = await find().catch(() => null);
    return file === null ? NO_FILE : `${file} ${fileStamp(file)}`;
  };
}
