/**
 * The plan's prompts, with the plan as it is when one is picked.
 *
 * @module
 */

import type { Prompt } from "../../../src/tools/prompt.ts";
import type { PlanPlugin } from "../commands.ts";
import { releaseNotesPrompt, standupPrompt } from "./changes.ts";
import { reviewPrompt } from "./review.ts";
import { specPrompt } from "./spec.ts";
import { triagePrompt } from "./triage.ts";
import { workPrompt } from "./work.ts";

/** The prompts for one loaded version of the plugin. */
export function planPrompts(plugin: PlanPlugin): Prompt[] {
  return [releaseNotesPrompt, reviewPrompt, specPrompt, standupPrompt, triagePrompt, workPrompt]
    .map((declare) => declare(plugin));
}
