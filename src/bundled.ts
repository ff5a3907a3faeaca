/** The plugins of this package, and what they add to the program; no other module imports them. */

import { BROWSER_VIEWS } from "../plugins/board/mod.ts";
import { PLAN_COMMANDS } from "../plugins/plan/commands/mod.ts";
import { planFacts } from "../plugins/plan/facts.ts";
import { RALPH } from "../plugins/ralph/bundled.ts";
import type { PluginAdapter, PluginCommand, PluginFacts } from "./plugin/adapter.ts";

export { BROWSER_VIEWS, RALPH };

export const FACTS: readonly PluginFacts[] = [planFacts];

/** The facts about the adapted plugin of a package. */
export function factsOf(packageName: string): PluginFacts {
  return FACTS.find((facts) => facts.packageName === packageName)!;
}

export const PLUGIN_COMMANDS: readonly PluginCommand[] = PLAN_COMMANDS;

/** Adapters of npm plugins, imported after `initialize` is answered. */
export async function loadAdapters(): Promise<readonly PluginAdapter[]> {
  return [(await import("../plugins/plan/mod.ts")).planAdapter];
}
