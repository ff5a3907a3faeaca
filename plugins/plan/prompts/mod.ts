/** The prompts of the plan. */

import type { Prompt } from "../../../src/plugin/prompt.ts";
import { openPlan } from "../queries/access.ts";
import { existingPlan } from "../store/place.ts";
import { unreadableIn } from "../store/problems.ts";
import { spec, work } from "./items.ts";
import { embedLists, type PlanPrompt } from "./messages.ts";
import { releaseNotes, review, standup, triage } from "./reports.ts";

const PROMPTS: readonly PlanPrompt[] = [releaseNotes, review, spec, standup, triage, work];

export const planPrompts: readonly Prompt[] = PROMPTS.map(({ messages, ...declared }): Prompt => ({
  ...declared,
  requires: ["plan"],
  render: async (args, context) => {
    const plan = await openPlan(await existingPlan(context));
    const rendered = await messages(plan, args);
    const unreadable = unreadableIn(plan.store);
    if (unreadable === undefined) return rendered;
    return [...rendered, ...embedLists("", `Some of the plan could not be read: ${unreadable}`)];
  },
}));
