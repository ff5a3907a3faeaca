/**
 * Tells a client that the lists or a subscribed resource changed.
 *
 * @module
 */

import type { Server } from "@modelcontextprotocol/server";
import type { Toolset } from "../tools/registry.ts";
import type { Workspace } from "../tools/workspace.ts";
import { createSubscriptions } from "./subscriptions.ts";
import { type Look, watchOf } from "./watch.ts";

/** What the handlers tell the watcher. */
export interface ListWatcher {
  /** The client has seen the lists of this toolset. */
  noteListed(toolset: Toolset): void;
  /** Looks whether something changed; returns at once. */
  check(): void;
  /**
   * The client wants to hear about a resource.
   *
   * @throws {RefraktError} `NOT_FOUND` for what does not exist.
   */
  subscribe(uri: string): Promise<void>;
  /** It does not any more. */
  unsubscribe(uri: string): void;
}

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

/** How a project is followed. */
export interface FollowOptions {
  /** Also notifies clients that have asked for no list. */
  readonly unasked?: boolean;
  /** The resources that clients listen to, where they name them all at once. */
  readonly listened?: ReadonlySet<string>;
  /** How many resources may be followed. */
  readonly mostSubscriptions?: number;
}

/** What the lists say, as texts to compare. */
interface Lists {
  readonly tools: string;
  readonly resources: string;
  readonly prompts: string;
}

/**
 * Follows a project, and says what changed.
 *
 * @param workspace What is watched.
 * @param notifier Who is told.
 * @param options For clients of the newer era.
 */
export function follow(
  workspace: Workspace,
  notifier: Notifier,
  { unasked = false, listened, mostSubscriptions }: FollowOptions = {},
): ListWatcher & { stop(): void } {
  const watch = watchOf(workspace);
  const subscriptions = createSubscriptions(workspace, mostSubscriptions);
  /** The lists that the client has; what they say is only put together to compare it. */
  let seen: (() => Lists) | undefined;
  let stamp = workspace.project().stamp;
  // The lists that were sent lack plugins that were still being downloaded, or could not be.
  let unfinished = false;
  let latest: Toolset | undefined;

  const announce = async (toolset: Toolset) => {
    // Without a network it may be looked at for hours.
    if (toolset === latest) return;
    latest = toolset;
    const before = seen?.();
    const now = listsOf(toolset);
    seen = () => now;
    unfinished = isUnfinished(toolset);
    if (before?.tools !== now.tools) await notifier.toolsChanged();
    if (before?.resources !== now.resources) await notifier.resourcesChanged();
    if (before?.prompts !== now.prompts) await notifier.promptsChanged();
  };
  const followListened = async () => {
    if (listened === undefined) return;
    for (const uri of listened) await subscriptions.add(uri).catch(() => {});
    for (const uri of subscriptions.uris()) if (!listened.has(uri)) subscriptions.remove(uri);
  };
  void followListened();
  const stop = watch.add(async (look: Look) => {
    if (look.project.stamp !== stamp || unfinished) {
      stamp = look.project.stamp;
      // A client that has asked for no list is not told that one changed.
      if (seen !== undefined || unasked) await announce(await look.toolset());
    }
    await followListened();
    for (const uri of await subscriptions.changed(look)) await notifier.resourceUpdated(uri);
  });
  return {
    noteListed: (toolset) => {
      seen = () => listsOf(toolset);
      stamp = toolset.project.stamp;
      unfinished = isUnfinished(toolset);
    },
    check: () => void watch.check(),
    subscribe: subscriptions.add,
    unsubscribe: subscriptions.remove,
    stop,
  };
}

/** Follows a project for the client of a server, until the server is closed. */
export function followFor(
  server: Server,
  workspace: Workspace,
  era: "legacy" | "modern",
  listened: ReadonlySet<string>,
): ListWatcher {
  const { stop, ...watcher } = follow(workspace, {
    toolsChanged: () => server.sendToolListChanged(),
    resourcesChanged: () => server.sendResourceListChanged(),
    promptsChanged: () => server.sendPromptListChanged(),
    resourceUpdated: (uri) => server.sendResourceUpdated({ uri }),
  }, era === "modern" ? { unasked: true, listened } : {});
  const onclose = server.onclose;
  server.onclose = () => {
    stop();
    onclose?.();
  };
  return watcher;
}

/** Names, schemas and descriptions: a change of any of them is one of the list. */
function listsOf(toolset: Toolset): Lists {
  return {
    tools: JSON.stringify(
      toolset.listedTools().map((
        { name, title, description, input, output, annotations, icons, _meta },
      ) => [name, title, description, input.json, output, annotations, icons, _meta]),
    ),
    resources: JSON.stringify(toolset.listedResources()),
    prompts: JSON.stringify(toolset.listedPrompts()),
  };
}

/** Whether more may come without a change of the project. */
function isUnfinished({ warnings }: Toolset): boolean {
  return warnings.some(({ code, retry }) => code === "PLUGINS_LOADING" || retry === true);
}
