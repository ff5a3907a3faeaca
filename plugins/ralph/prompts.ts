/**
 * One prompt a phase, for people who pick them in their client.
 *
 * @module
 */

import type { CallContext } from "../../src/surface/context.ts";
import type { Prompt } from "../../src/surface/prompt.ts";
import { corruptState, missingState, phaseMismatch } from "./failures.ts";
import { phaseInstructions } from "./instructions.ts";
import { isBefore, type Phase, PHASE_TOOLS, PHASES } from "./phases.ts";
import { executor } from "./prompts/executor.ts";
import { listSpecs, resolveSpec, type Spec } from "./specs.ts";
import { readState, type State } from "./state.ts";

const TITLES: Readonly<Record<Phase, string>> = {
  research: "Research a spec",
  requirements: "Write the requirements",
  design: "Write the design",
  tasks: "Plan the tasks",
  execution: "Implement the tasks",
};

/** The prompts. */
export const prompts: readonly Prompt[] = PHASES.map((phase): Prompt => ({
  name: PHASE_TOOLS[phase],
  title: TITLES[phase],
  description: phase === "execution"
    ? "Works through the open tasks of a spec, one after another."
    : `The instructions of the ${phase} phase, with the spec's documents.`,
  arguments: [{
    name: "spec_name",
    description: "Spec name (defaults to the current spec)",
    required: false,
  }],
  complete: (_argument, value, context) =>
    listSpecs(context.project.cwd).map((spec) => spec.name)
      .filter((name) => name.startsWith(value)).slice(0, 100),
  render: (args, context) => render(phase, args["spec_name"], context),
}));

/** Like the tool of the same name, but it only reads: picking a prompt changes nothing. */
function render(phase: Phase, wanted: string | undefined, context: CallContext): string {
  const spec = resolveSpec(context.project.cwd, wanted === "" ? undefined : wanted);
  const state = soundState(spec);
  if (phase === "execution") {
    if (state.phase !== "tasks" && state.phase !== "execution") {
      throw phaseMismatch(spec.name, state.phase, "execution", false);
    }
    return implementPrompt(spec);
  }
  const redo = isBefore(phase, state.phase);
  if (!redo && state.phase !== phase) throw phaseMismatch(spec.name, state.phase, phase, true);
  const call = `${PHASE_TOOLS[phase]} { spec_name: ${JSON.stringify(spec.name)}${
    redo ? ", redo: true" : ""
  }, context: "paths" }`;
  return `Call ${call} first, so that the server knows; then follow these instructions.\n\n${
    phaseInstructions(spec, state, phase, { mode: "inline", redo }).text
  }`;
}

function soundState(spec: Spec): State {
  const read = readState(spec);
  if (read.kind === "ok") return read.state;
  throw read.kind === "missing"
    ? missingState(spec.name, false)
    : corruptState(spec.name, null, read.reason);
}

function implementPrompt(spec: Spec): string {
  return [
    `## Execution Phase for ${JSON.stringify(spec.name)}`,
    "",
    `Call \`ralph_implement\` with spec_name: ${
      JSON.stringify(spec.name)
    }. It hands out the next open task. Do it in the role below, mark it as done, and call it again, until it reports that all tasks are complete; then call \`ralph_complete_phase\` with phase "execution". Stop where a task is reported as blocked, and tell the user why.`,
    "",
    "### Agent Instructions",
    executor,
  ].join("\n");
}
