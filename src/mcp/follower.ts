/**
 * What one client follows: the lists that it has seen or listens to, and resources. It is
 * notified of their changes.
 *
 * @module
 */

import { RefraktError } from "../errors.ts";
import { fieldOf, textsOf } from "../io/json.ts";
import { within } from "../io/within.ts";
import type { Toolset } from "../tools/registry.ts";
import type { Workspace } from "../tools/workspace.ts";
import { type ListName, listStamp, type Watched, watcherOf } from "./watcher.ts";

/** The most resources that a client may follow. */
export const MOST_SUBSCRIPTIONS = 200;

/** How long the answer to a `subscriptions/listen` waits for plugins, in milliseconds. */
const LISTEN_MS = 5000;

/** Where notifications go. */
export interface Notifier {
  /** The tools changed. */
  toolsChanged(): unknown;
  /** The resources changed. */
  resourcesChanged(): unknown;
  /** The prompts changed. */
  promptsChanged(): unknown;
  /** A resource changed. */
  resourceUpdated(uri: string): unknown;
}

/** What a client follows. */
export interface Follower {
  /** Sends notifications there from now on. */
  notifyBy(notifier: Notifier): void;
  /** The client has this list of this toolset. */
  noteListed(list: ListName, toolset: Toolset): void;
  /**
   * The client follows a resource, until `unsubscribe`.
   *
   * @throws {RefraktError} `NOT_FOUND` for what does not exist, `INVALID_ARGS` for one too many.
   */
  subscribe(uri: string): Promise<void>;
  /** The client does not follow a resource any more. */
  unsubscribe(uri: string): void;
  /**
   * A `subscriptions/listen` begins; its id is any key. From its answer on, changes are notified.
   *
   * @returns Whether it was not ended meanwhile.
   */
  listen(id: unknown, params: unknown): Promise<boolean>;
  /** A `subscriptions/listen` ends, if the id is one's. */
  endListening(id: unknown): void;
  /** Compares now; returns at once. */
  check(): void;
  /** Follows nothing any more. */
  stop(): void;
}

/** The fields of a `subscriptions/listen` that ask for the changes of a list. */
const LIST_FIELDS: Readonly<Record<string, ListName>> = {
  toolsListChanged: "tools",
  resourcesListChanged: "resources",
  promptsListChanged: "prompts",
};

/** Makes the follower of a client. */
export function createFollower(workspace: Workspace, most = MOST_SUBSCRIPTIONS): Follower {
  const watcher = watcherOf(workspace);
  const followed = new Map<string, Promise<() => void>>();
  const listening = new Map<unknown, readonly string[]>();
  let notifier: Notifier | undefined;

  const follow = (key: string, watched: Watched, stamp?: string): Promise<unknown> => {
    const watching = watcher.watch(watched, () => notify(watched), stamp);
    followed.set(key, watching);
    watching.catch(() => {
      if (followed.get(key) === watching) followed.delete(key);
    });
    return watching;
  };
  const notify = (watched: Watched) => {
    if ("uri" in watched) return void notifier?.resourceUpdated(watched.uri);
    switch (watched.list) {
      case "tools":
        return void notifier?.toolsChanged();
      case "resources":
        return void notifier?.resourcesChanged();
      case "prompts":
        return void notifier?.promptsChanged();
    }
  };
  const unfollow = (key: string) => {
    followed.get(key)?.then((stop) => stop(), () => {});
    followed.delete(key);
  };
  const hasRoom = () => [...followed.keys()].filter((key) => !isList(key)).length < most;
  return {
    notifyBy: (given) => notifier = given,
    noteListed: (list, toolset) => {
      unfollow(listKey(list));
      void follow(listKey(list), { list }, listStamp(toolset, list)).catch(() => {});
    },
    subscribe: async (uri) => {
      if (followed.has(uri)) return void await followed.get(uri);
      if (!hasRoom()) {
        throw new RefraktError("INVALID_ARGS", `There are ${most} subscriptions`, {
          hint: "Unsubscribe from some; refrakt://plan/index changes with every entity.",
        });
      }
      await follow(uri, { uri });
    },
    unsubscribe: unfollow,
    listen: async (id, params) => {
      const filter = fieldOf(params, "notifications");
      const lists = Object.entries(LIST_FIELDS).filter(([field]) => fieldOf(filter, field) === true)
        .map(([, list]) => list);
      const uris = textsOf(fieldOf(filter, "resourceSubscriptions"));
      listening.set(id, [...lists.map(listKey), ...uris]);
      const begun: Promise<unknown>[] = [];
      for (const list of lists) {
        if (!followed.has(listKey(list))) begun.push(follow(listKey(list), { list }));
      }
      for (const uri of uris) {
        if (!followed.has(uri) && hasRoom()) begun.push(follow(uri, { uri }));
      }
      // What does not exist has no changes.
      await within(Promise.allSettled(begun), LISTEN_MS);
      return listening.has(id);
    },
    endListening: (id) => {
      const keys = listening.get(id) ?? [];
      listening.delete(id);
      const wanted = new Set([...listening.values()].flat());
      for (const key of keys) if (!wanted.has(key)) unfollow(key);
    },
    check: () => void watcher.check(),
    stop: () => {
      for (const key of [...followed.keys()]) unfollow(key);
    },
  };
}

function listKey(list: ListName): string {
  return `list ${list}`;
}

function isList(key: string): boolean {
  // A URI has no space.
  return key.startsWith("list ");
}
