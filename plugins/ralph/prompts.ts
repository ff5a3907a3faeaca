/** One prompt per phase, for people who select them in their client. */

import type { Prompt } from "../../src/tools/prompt.ts";
import { callOf } from "./failures.ts";
import { type Phase, PHASE_TITLES, PHASES, toolOf } from "./phases.ts";

export const prompts: readonly Prompt[] = PHASES.map((phase): Prompt => ({
  name: toolOf(phase),
  title: PHASE_TITLES[phase],
  description: phase === "execution"
    ? "Works through the open tasks of a spec, one after another."
    : `Writes the ${phase} document of a spec, or revises it.`,
  arguments: [{
    name: "spec_name",
    description: "Spec name (default: the current spec)",
    required: false,
  }],
  render: ({ spec_name }) => promptFor(phase, spec_name ? { spec_name } : {}),
}));

/** The text of a prompt: the call that begins the phase. */
function promptFor(phase: Phase, args: Readonly<Record<string, unknown>>): string {
  const call = callOf(toolOf(phase), args);
  return phase === "execution"
    ? `Call ${call}: it hands out the next open task with its instructions. Follow them, report ` +
      "with ralph_task_result, and take the next step that each answer names, until all tasks are " +
      'complete; then call ralph_complete_phase with phase "execution". If a task is blocked, ' +
      "tell the user why."
    : `Call ${call} (with redo: true if a later phase has begun), and follow the instructions that ` +
      "it returns. Then take the next step that the answer of ralph_complete_phase names.";
}
