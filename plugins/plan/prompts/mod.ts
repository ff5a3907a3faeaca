/**
 * The plan's prompts, with the plan as it is when one is picked.
 *
 * @module
 */

import type { Prompt } from "../../../src/tools/prompt.ts";
import type { PlanPlugin } from "../commands.ts";
import type { PlanView } from "../queries/access.ts";
import { byId } from "../queries/select.ts";
import { byNumber } from "../queries/values.ts";
import { releaseNotes, standup } from "./changes.ts";
import { openPrompt, type PlanPrompt, withUnreadable } from "./messages.ts";
import { review } from "./review.ts";
import { spec } from "./spec.ts";
import { triage } from "./triage.ts";
import { work } from "./work.ts";

const PROMPTS: readonly PlanPrompt[] = [releaseNotes, review, spec, standup, triage, work];

/** How many values complete an argument. */
const MOST_VALUES = 100;

/** The values of an argument, by its name, the likeliest first. */
const VALUES: Readonly<Record<string, (plan: PlanView) => string[]>> = {
  id: (plan) => openFirst(plan, ["work", "bug", "milestone"], byId(plan)),
  milestone: (plan) => openFirst(plan, ["milestone"], (a, b) => byNumber(b.id, a.id)),
  since: () => ["1d", "7d", "14d", "30d", "90d"],
};

/** The prompts for one loaded version of the plugin. */
export function planPrompts(plugin: PlanPlugin): Prompt[] {
  return PROMPTS.map(({ messages, ...declared }): Prompt => ({
    ...declared,
    requires: ["plan"],
    complete: async (argument, value, context) => {
      const values = VALUES[argument];
      if (values === undefined) return [];
      const { plan } = await openPrompt(plugin, context);
      const typed = value.toLowerCase();
      return values(plan).filter((one) => one.toLowerCase().startsWith(typed))
        .slice(0, MOST_VALUES);
    },
    render: async (args, context) => {
      const call = await openPrompt(plugin, context);
      return withUnreadable(call, await messages(call, args));
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
