/**
 * `ralph_research`, `ralph_requirements`, `ralph_design` and `ralph_tasks`: return the
 * instructions of a phase.
 */

import * as z from "zod";
import type { Tool } from "../../../src/tools/tool.ts";
import { phaseMismatch } from "../failures.ts";
import { phaseInstructions } from "../instructions.ts";
import { toolStep } from "../next.ts";
import { documentOf, type DocumentPhase, isBefore, PHASE_TITLES } from "../phases.ts";
import { save } from "../save.ts";
import { ralphTool, specName } from "../tool.ts";
import { changeSpec, type SoundSpec } from "../spec.ts";

export function phaseTool(phase: DocumentPhase): Tool {
  return ralphTool({
    name: phase,
    title: PHASE_TITLES[phase],
    description: `Returns the instructions to write ${
      documentOf(phase)
    }; redo: to revise it later.`,
    input: z.strictObject({ spec_name: specName, redo: z.boolean().optional() }),
    output: { artifact: z.string(), files: z.array(z.unknown()) },
    instructs: true,
    run: async ({ spec_name, redo = false }, context) => {
      const begin = (spec: SoundSpec) => beginPhase(spec, phase, redo);
      const spec = await changeSpec(context, spec_name, begin);
      const { text, warnings, artifact, files } = phaseInstructions(spec, phase);
      return {
        spec,
        body: text,
        step: toolStep(
          "ralph_complete_phase",
          { ...spec.args, phase },
          (call) => `write ${artifact}, then call ${call} with a summary`,
        ),
        warnings,
        data: { artifact, files },
      };
    },
  });
}

/** Records that a phase or a revision begins: calling its tool means that the user approves. */
function beginPhase(spec: SoundSpec, phase: DocumentPhase, redo: boolean): SoundSpec {
  const { state } = spec;
  if (state.phase === phase) {
    return state.awaitingApproval ? save(spec, { state: { awaitingApproval: false } }) : spec;
  }
  if (!redo || !isBefore(phase, state.phase)) throw phaseMismatch(spec.name, state.phase, phase);
  return state.redoing.includes(phase)
    ? spec
    : save(spec, { state: { redoPhases: [...state.redoing, phase] } });
}
