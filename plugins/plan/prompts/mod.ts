/** The prompts of the plan. */

import { shown } from "../../../src/plain_text.ts";
import type { Prompt } from "../../../src/tools/prompt.ts";
import { openPlan, type PlanView } from "../queries/access.ts";
import { byId } from "../queries/select.ts";
import { byNumber } from "../queries/milestones.ts";
import type { PlanPlugin } from "../store/loaded.ts";
import { existingPlan } from "../store/place.ts";
import { unreadableIn } from "../tool_parts/plan_tool.ts";
import { spec, work } from "./items.ts";
import { embedLists, type PlanPrompt } from "./messages.ts";
import { releaseNotes, review, standup, triage } from "./reports.ts";

const PROMPTS: readonly PlanPrompt[] = [releaseNotes, review, spec, standup, triage, work];

/** How many completions an argument has. */
const MAX_VALUES = 100;

/** The completions of each argument, the most likely first. */
const VALUES: Readonly<Record<string, (plan: PlanView) => string[]>> = {
  id: (plan) => openFirst(plan, ["work", "bug", "milestone"], byId(plan)),
  milestone: (plan) => openFirst(plan, ["milestone"], (a, b) => byNumber(b.id, a.id)),
  since: () => ["1d", "7d", "14d", "30d", "90d"],
};

export function planPrompts(plugin: PlanPlugin): Prompt[] {
  return PROMPTS.map(({ messages, ...declared }): Prompt => ({
    ...declared,
    requires: ["plan"],
    complete: async (argument, value, context) => {
      const values = VALUES[argument];
      if (values === undefined) return [];
      const plan = await openPlan(existingPlan(plugin, context));
      const typed = shown(value.toLowerCase());
      return values(plan).filter((one) => shown(one.toLowerCase()).startsWith(typed))
        .slice(0, MAX_VALUES);
    },
    render: async (args, context) => {
      const plan = await openPlan(existingPlan(plugin, context));
      await plan.state.readDocuments();
      const made = await messages(plan, args);
      const unreadable = unreadableIn(plan.store);
      if (unreadable === undefined) return made;
      return [...made, ...embedLists("", `Some of the plan could not be read: ${unreadable}`)];
    },
  }));
}

function openFirst(
  { items }: PlanView,
  types: readonly string[],
  order: ReturnType<typeof byId>,
): string[] {
  return items.filter(({ type }) => types.includes(type))
    .sort((a, b) => Number(a.finished) - Number(b.finished) || order(a, b))
    .map(({ id }) => id);
}
