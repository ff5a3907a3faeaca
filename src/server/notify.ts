/**
 * Tells clients that the lists or a subscribed resource changed. The project is
 * looked at after every call, and once a second for what others change.
 *
 * @module
 */

import type { Server } from "@modelcontextprotocol/server";
import type { FileContext } from "../surface/resource.ts";
import type { Surface } from "../surface/registry.ts";
import { matchUri } from "../surface/uri.ts";
import type { Workspace } from "../surface/workspace.ts";

/** How often the project is looked at, in milliseconds. */
const PERIOD = 1000;

/** What the handlers tell the watcher. */
export interface ListWatcher {
  /** The client has seen the lists of this surface. */
  noteListed(surface: Surface): void;
  /** Looks whether the lists changed; returns at once. */
  check(): void;
  /** The client wants to hear about a resource. */
  subscribe(uri: string, surface: Surface, context: FileContext): Promise<void>;
  /** It does not any more. */
  unsubscribe(uri: string): void;
}

interface Lists {
  tools: string;
  resources: string;
  prompts: string;
}

interface Subscription {
  /** The file behind the resource, or `undefined` where any change of the project counts. */
  file: string | undefined;
  stamp: string;
}

/**
 * Watches for a server.
 *
 * @param server Who notifies.
 * @param workspace What is watched.
 * @param era In the newer era a client subscribes on the connection, not by resource.
 * @param listened The resources that it then listens to.
 */
export function watchLists(
  server: Server,
  workspace: Workspace,
  era: "legacy" | "modern",
  listened: ReadonlySet<string>,
): ListWatcher {
  let seen: Lists | undefined;
  let stamp = workspace.project().stamp;
  // The lists that were sent lack plugins that were still being downloaded.
  let unfinished = false;
  let checking = false;
  const subscriptions = new Map<string, Subscription>();

  const check = async () => {
    if (checking || server.transport === undefined) return;
    checking = true;
    try {
      const project = workspace.project();
      if (project.stamp !== stamp || unfinished) {
        stamp = project.stamp;
        // A client that never listed learns of nothing that it does not know.
        if (seen !== undefined || era === "modern") await announce(await workspace.surface());
      }
      await followListened();
      for (const [uri, subscription] of subscriptions) {
        const now = stampOf(subscription.file, project.stamp, workspace);
        if (now === subscription.stamp) continue;
        subscription.stamp = now;
        await server.sendResourceUpdated({ uri });
      }
    } catch {
      // The client has gone, or the project is being changed: the next look will tell.
    } finally {
      checking = false;
    }
  };

  const subscribe = async (uri: string, surface: Surface, context: FileContext) => {
    const match = matchUri(surface.resources, uri);
    const file = await match?.resource.fileOf?.(match.params, context) ?? undefined;
    subscriptions.set(uri, { file, stamp: stampOf(file, surface.project.stamp, workspace) });
  };

  const followListened = async () => {
    for (const uri of listened) {
      if (subscriptions.has(uri)) continue;
      const surface = await workspace.surface();
      await subscribe(uri, surface, { project: surface.project });
    }
    if (era === "legacy") return;
    for (const uri of subscriptions.keys()) if (!listened.has(uri)) subscriptions.delete(uri);
  };

  const announce = async (surface: Surface) => {
    const now = listsOf(surface);
    const before = seen;
    seen = now;
    unfinished = isUnfinished(surface);
    if (before?.tools !== now.tools) await server.sendToolListChanged();
    if (before?.resources !== now.resources) await server.sendResourceListChanged();
    if (before?.prompts !== now.prompts) await server.sendPromptListChanged();
  };

  const timer = setInterval(check, PERIOD);
  Deno.unrefTimer(timer);
  const onclose = server.onclose;
  server.onclose = () => {
    clearInterval(timer);
    onclose?.();
  };

  return {
    noteListed: (surface) => {
      seen = listsOf(surface);
      stamp = surface.project.stamp;
      unfinished = isUnfinished(surface);
    },
    check: () => void check(),
    subscribe,
    unsubscribe: (uri) => {
      subscriptions.delete(uri);
    },
  };
}

function listsOf(surface: Surface): Lists {
  return {
    tools: surface.listedTools().map((tool) => tool.name).join(),
    resources: surface.listedResources().map((entry) => entry.uri).join(),
    prompts: surface.listedPrompts().map((prompt) => prompt.name).join(),
  };
}

function isUnfinished(surface: Surface): boolean {
  return surface.warnings.some((warning) => warning.code === "PLUGINS_LOADING");
}

function stampOf(file: string | undefined, project: string, workspace: Workspace): string {
  if (file === undefined) return `${project} ${workspace.contentStamp()}`;
  try {
    const info = Deno.statSync(file);
    return `${info.mtime?.getTime()}:${info.size}:${info.ino}`;
  } catch {
    return "gone";
  }
}
