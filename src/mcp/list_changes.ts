/**
 * Notices changes of the lists that clients have requested, as when a plan appears or a plugin has
 * loaded: the lists are compared every second, and after each call.
 */

import type { Prompt } from "../plugin/prompt.ts";
import type { Inventory } from "../host/inventory.ts";
import type { Resource } from "../plugin/resource.ts";
import type { ListedTool } from "../plugin/tool.ts";
import type { Workspace } from "../host/open_workspace.ts";

/** How often the lists are compared, in milliseconds. */
export const PERIOD_MS = 1000;

export type ListName = "tools" | "resources" | "prompts";

export interface ListChanges {
  /** Remembers a list that was sent. */
  noteSent(list: ListName, inventory: Inventory): void;
  /** Compares in the background. */
  compare(): void;
  stop(): void;
}

/** Starts when the first list is sent; `notify` is called once per change. */
export function watchLists(workspace: Workspace, notify: (list: ListName) => void): ListChanges {
  const stamps = new Map<ListName, string>();
  let timer: ReturnType<typeof setInterval> | undefined;
  let comparing: Promise<void> | undefined;
  const update = (list: ListName, inventory: Inventory) => {
    const stamp = listStamp(list, inventory);
    const previous = stamps.get(list);
    stamps.set(list, stamp);
    if (previous !== undefined && previous !== stamp) notify(list);
  };
  const compareAll = async () => {
    const inventory = await workspace.inventory("lists");
    for (const list of stamps.keys()) update(list, inventory);
  };
  const compare = () => {
    if (timer === undefined) return;
    comparing ??= compareAll()
      // The project is changing: the next comparison sees the result.
      .catch(() => {})
      .finally(() => comparing = undefined);
  };
  return {
    noteSent: (list, inventory) => {
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
  if (list === "tools") return JSON.stringify(inventory.listedTools().map(listedFields));
  const entries: readonly (Resource | Prompt)[] = list === "resources"
    ? inventory.listedResources()
    : inventory.listedPrompts();
  return JSON.stringify(entries);
}

function listedFields({ input, output, annotations, ...tool }: ListedTool): unknown {
  const { name, title, description, _meta } = tool;
  return [name, title, description, input.json, output?.json, annotations, _meta];
}
