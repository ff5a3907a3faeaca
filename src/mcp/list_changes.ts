/**
 * Notices changes of the lists that clients have requested, as when a plan appears or a plugin has
 * loaded: the lists are compared every second, and after each call.
 */

import type { Prompt } from "../tools/prompt.ts";
import type { Toolset } from "../tools/registry.ts";
import type { Resource } from "../tools/resource.ts";
import type { ListedTool } from "../tools/tool.ts";
import type { ToolList, Workspace } from "../tools/workspace.ts";

/** How often the lists are compared, in milliseconds. */
export const PERIOD_MS = 1000;

export type ListName = "tools" | "resources" | "prompts";

export interface ListChanges {
  /** Remembers a list that was sent. */
  noteSent(list: ListName, listed: ToolList | Toolset): void;
  /** Compares in the background. */
  compare(): void;
  stop(): void;
}

/** Starts when the first list is sent; `notify` is called once per change. */
export function watchLists(workspace: Workspace, notify: (list: ListName) => void): ListChanges {
  const stamps = new Map<ListName, string>();
  let timer: ReturnType<typeof setInterval> | undefined;
  let comparing: Promise<void> | undefined;
  const update = (list: ListName, listed: ToolList | Toolset) => {
    const stamp = listStamp(list, listed);
    const previous = stamps.get(list);
    stamps.set(list, stamp);
    if (previous !== undefined && previous !== stamp) notify(list);
  };
  const compareAll = async () => {
    const toolset = await workspace.toolset();
    for (const list of stamps.keys()) update(list, toolset);
  };
  const compare = () => {
    if (timer === undefined) return;
    comparing ??= compareAll()
      // The project is changing: the next comparison sees the result.
      .catch(() => {})
      .finally(() => comparing = undefined);
  };
  return {
    noteSent: (list, listed) => {
      update(list, listed);
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

function listStamp(list: ListName, listed: ToolList | Toolset): string {
  if (list === "tools" || !("listedResources" in listed)) {
    return JSON.stringify(listed.listedTools().map(listedFields));
  }
  const entries: readonly (Resource | Prompt)[] = list === "resources"
    ? listed.listedResources()
    : listed.listedPrompts();
  return JSON.stringify(entries);
}

function listedFields({ input, output, annotations, ...tool }: ListedTool): unknown {
  const { name, title, description, _meta } = tool;
  return [name, title, description, input.json, output?.json, annotations, _meta];
}
