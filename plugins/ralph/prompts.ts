/** One prompt per phase, for people who select them in their client. */

import type { CallContext } from "../../src/tools/context.ts";
import type { Prompt } from "../../src/tools/prompt.ts";
import { callOf, invalidState, phaseMismatch } from "./failures.ts";
import { isBefore, type Phase, PHASE_TITLES, PHASES, toolOf } from "./phases.ts";
import { findFolder } from "./folders.ts";
import { readSpec } from "./spec.ts";

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
  render: (args, context) => promptFor(phase, args["spec_name"] || undefined, context),
}));

/** The text of a prompt: the call that begins the phase. Rendering it changes nothing. */
function promptFor(phase: Phase, name: string | undefined, context: CallContext): string {
  const spec = readSpec(findFolder(context.project.cwd, name), true);
  const { args, state, noState } = spec;
  if (state === null) throw invalidState(spec.name, noState!);
  const isEarlier = isBefore(phase, state.phase);
  const isReached = phase === "execution" ? !isBefore(state.phase, "tasks") : state.phase === phase;
  if (!isEarlier && !isReached) throw phaseMismatch(spec.name, state.phase, phase);
  const call = callOf(toolOf(phase), isEarlier ? { ...args, redo: true } : args);
  return phase === "execution"
    ? `Call ${call}: it hands out the next open task with its instructions. Follow them, report ` +
      "with ralph_task_result, and take the next step that each answer names, until all tasks are " +
      'complete; then call ralph_complete_phase with phase "execution". If a task is blocked, ' +
      "tell the user why."
    : `Call ${call}, and follow the instructions that it returns. Then take the next step that ` +
      "the answer of ralph_complete_phase names.";
}
