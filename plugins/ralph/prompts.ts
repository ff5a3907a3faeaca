/** One prompt per phase, for people who select them in their client. */

import type { Prompt } from "../../src/plugin/prompt.ts";
import { callOf } from "./failures.ts";
import { PHASES, titleOf, toolOf } from "./phases.ts";

export const prompts: readonly Prompt[] = PHASES.map((phase): Prompt => ({
  name: toolOf(phase),
  title: `${titleOf(phase)} phase`,
  requires: ["ralph"],
  description: phase === "execution"
    ? "Works through the open tasks of a spec, one after another."
    : `Writes the ${phase} document of a spec, or revises it.`,
  arguments: [{
    name: "spec_name",
    description: "Spec name (default: the current spec)",
    required: false,
  }],
  render: ({ spec_name }) => {
    const call = callOf(toolOf(phase), spec_name ? { spec_name } : {});
    return phase === "execution"
      ? `Call ${call}, do the task that it hands out, and take the next step that each answer ` +
        "names, until the spec is complete. If a task is blocked, tell the user why."
      : `Call ${call} (with redo: true if a later phase has begun), and follow its instructions. ` +
        "Then take the next step that the answer of ralph_complete_phase names.";
  },
}));
