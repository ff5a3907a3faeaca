/**
 * `ralph_research`, `ralph_requirements`, `ralph_design` and `ralph_tasks`: the
 * instructions of a phase.
 *
 * @module
 */

import { z } from "zod";
import type { CliPluginCommand, McpHandlerContext } from "../../../src/tools/plugin.ts";
import { callOf, phaseMismatch } from "../failures.ts";
import { phaseInstructions } from "../instructions.ts";
import { documentOf, type DocumentPhase, isBefore, titleOf } from "../phases.ts";
import { specPath } from "../specs.ts";
import { type Answer, contextMode, ralphTool, specName } from "../tool.ts";
import { save } from "../save.ts";
import { changeSpec, type SoundView, soundView } from "../view.ts";
import { resolveSpec } from "../specs.ts";

const Input = z.strictObject({
  spec_name: specName,
  redo: z.boolean().optional(),
  context: contextMode,
});

/** A tool that gives the instructions of a phase. */
export function phaseTool(phase: DocumentPhase): CliPluginCommand {
  return ralphTool({
    name: phase,
    title: titleOf(phase),
    description: `Gives the instructions to write ${documentOf(phase)}; redo: to revise it later.`,
    input: Input,
    output: { artifact: "string", files: "array" },
    instructs: true,
    run: (input, context) => run(phase, input, context),
  });
}

async function run(
  phase: DocumentPhase,
  input: z.output<typeof Input>,
  { cwd, signal, log }: McpHandlerContext,
): Promise<Answer> {
  const check = (view: SoundView) => {
    const { state } = view;
    if (state.phase !== phase && !(input.redo === true && isBefore(phase, state.phase))) {
      throw phaseMismatch(view.spec.name, state.phase, phase);
    }
  };
  let view = await soundView(
    resolveSpec(cwd, input.spec_name),
    input.spec_name !== undefined,
    signal,
  );
  check(view);
  const redo = view.state.phase !== phase;
  // Calling the tool of the phase that is due is the approval. Otherwise nothing has to be written.
  if (redo ? !view.state.redoing.includes(phase) : view.state.awaitingApproval) {
    view = await changeSpec(cwd, input.spec_name, signal, check, (view) =>
      save(view, {
        state: redo
          ? { redoPhases: [...view.state.redoing, phase] }
          : { awaitingApproval: false, approvalFor: undefined },
      }));
  }
  const given = phaseInstructions(view, phase, input.context ?? "inline");
  log("debug", "Instructions given", { spec: view.spec.name, phase, redo });
  const nextArgs = { ...view.args, phase };
  return {
    spec: view.spec,
    body: given.text,
    step: {
      status: "active",
      next: "ralph_complete_phase",
      nextArgs,
      todo: `write ${specPath(view.spec, documentOf(phase))}, then call ${
        callOf("ralph_complete_phase", nextArgs)
      } with a summary`,
    },
    warnings: given.warnings,
    data: {
      artifact: given.artifact,
      files: given.files,
    },
  };
}
