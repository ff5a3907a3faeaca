/** One prompt per phase, for people who select them in their client. */

import type { CallContext } from "../../src/tools/context.ts";
import type { Prompt } from "../../src/tools/prompt.ts";
import { callOf, invalidState, phaseMismatch } from "./failures.ts";
import { phaseInstructions } from "./instructions.ts";
import { isBefore, type Phase, PHASE_TITLES, PHASES, toolOf } from "./phases.ts";
import { resolveSpec } from "./specs.ts";
import { look } from "./view.ts";

export const prompts: readonly Prompt[] = PHASES.map((phase): Prompt => ({
  name: toolOf(phase),
  title: PHASE_TITLES[phase],
  description: phase === "execution"
    ? "Works through the open tasks of a spec, one after another."
    : `The instructions of the ${phase} phase, with the spec's documents.`,
  arguments: [{
    name: "spec_name",
    description: "Spec name (default: the current spec)",
    required: false,
  }],
  render: (args, context) => promptFor(phase, args["spec_name"], context),
}));

/** The text of a prompt. Unlike the tool of the same name, it changes nothing. */
function promptFor(phase: Phase, wanted: string | undefined, context: CallContext): string {
  const view = look(resolveSpec(context.project.cwd, wanted || undefined), true);
  const { spec, args, state } = view;
  if (state === null) throw invalidState(spec.name, view.noState!);
  if (phase === "execution") {
    if (isBefore(state.phase, "tasks")) throw phaseMismatch(spec.name, state.phase, phase);
    return `## Execution Phase for ${JSON.stringify(spec.name)}

Call \`${
      callOf("ralph_implement", args)
    }\`: it hands out the next open task with its instructions. Follow them, report with \`ralph_task_result\`, and take the next step that each answer names, until all tasks are complete; then call \`ralph_complete_phase\` with phase "execution". If a task is blocked, tell the user why.`;
  }
  const redo = isBefore(phase, state.phase);
  if (!redo && state.phase !== phase) throw phaseMismatch(spec.name, state.phase, phase);
  const options = { ...args, ...(redo ? { redo: true } : {}), context: "paths" };
  const call = callOf(toolOf(phase), options);
  const { text } = phaseInstructions({ ...view, state }, phase, "inline");
  return `First call ${call}, which records that the phase begins; then follow these instructions.\n\n${text}`;
}
