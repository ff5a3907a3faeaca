/**
 * One prompt a phase, for people who pick them in their client.
 *
 * @module
 */

import type { CallContext } from "../../src/tools/context.ts";
import type { Prompt } from "../../src/tools/prompt.ts";
import { callOf, invalidState, phaseMismatch } from "./failures.ts";
import { phaseInstructions } from "./instructions.ts";
import { isBefore, type Phase, PHASES, toolOf } from "./phases.ts";
import { listSpecs, resolveSpec } from "./specs.ts";
import { isSound, look } from "./view.ts";

const TITLES: Readonly<Record<Phase, string>> = {
  research: "Research a spec",
  requirements: "Write the requirements",
  design: "Write the design",
  tasks: "Plan the tasks",
  execution: "Implement the tasks",
};

/** The prompts. */
export const prompts: readonly Prompt[] = PHASES.map((phase): Prompt => ({
  name: toolOf(phase),
  title: TITLES[phase],
  description: phase === "execution"
    ? "Works through the open tasks of a spec, one after another."
    : `The instructions of the ${phase} phase, with the spec's documents.`,
  arguments: [{
    name: "spec_name",
    description: "Spec name (default: the current spec)",
    required: false,
  }],
  complete: (_argument, value, context) =>
    listSpecs(context.project.cwd).map((spec) => spec.name)
      .filter((name) => name.startsWith(value)).slice(0, 100),
  render: (args, context) => render(phase, args["spec_name"], context),
}));

/** Like the tool of the same name, but it only reads: picking a prompt changes nothing. */
function render(phase: Phase, wanted: string | undefined, context: CallContext): string {
  const view = look(resolveSpec(context.project.cwd, wanted === "" ? undefined : wanted), true);
  const { spec } = view;
  if (!isSound(view)) throw invalidState(spec.name, view.noState!);
  const { state } = view;
  if (phase === "execution") {
    if (isBefore(state.phase, "tasks")) throw phaseMismatch(spec.name, state.phase, phase);
    return `## Execution Phase for ${JSON.stringify(spec.name)}

Call \`${
      callOf("ralph_implement", view.args)
    }\`: it hands out the next open task with its instructions. Follow them, report with \`ralph_task_result\`, and do what each answer says is next, until all tasks are complete; then call \`ralph_complete_phase\` with phase "execution". Where a task is blocked, tell the user why.`;
  }
  const redo = isBefore(phase, state.phase);
  if (!redo && state.phase !== phase) throw phaseMismatch(spec.name, state.phase, phase);
  const call = callOf(toolOf(phase), {
    ...view.args,
    ...(redo ? { redo: true } : {}),
    context: "paths",
  });
  return `Call ${call} first, so that the server knows; then follow these instructions.\n\n${
    phaseInstructions(view, phase, "inline").text
  }`;
}
