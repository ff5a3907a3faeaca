/**
 * `ralph_research`, `ralph_requirements`, `ralph_design` and `ralph_tasks`: the
 * instructions of a phase.
 *
 * @module
 */

import { z } from "zod";
import type { CliPluginCommand, McpHandlerContext } from "../../../src/surface/plugin.ts";
import { type TextResult, withText } from "../../../src/surface/result.ts";
import { phaseInstructions } from "../instructions.ts";
import { withLock } from "../lock.ts";
import { type DocumentPhase, PHASE_TOOLS } from "../phases.ts";
import { contextMode, follow, phaseName, specName } from "../schemas.ts";
import { checkPhase, redoneBy } from "../prerequisites.ts";
import { resolveSpec } from "../specs.ts";
import { requireLocked, requireState, writeState } from "../state.ts";

const Input = z.strictObject({
  spec_name: specName,
  redo: z.boolean().default(false)
    .describe("Revise the document of a phase that is already complete"),
  context: contextMode,
});

const Output = z.object({
  name: z.string(),
  phase: phaseName,
  artifact: z.string(),
  instructions: z.string(),
  ...follow,
});

type PhaseInput = z.output<typeof Input>;

/** A tool that gives the instructions of a phase. */
export function phaseTool(
  phase: DocumentPhase,
  title: string,
  description: string,
): CliPluginCommand {
  return {
    name: phase,
    toolName: PHASE_TOOLS[phase],
    title,
    description,
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    inputSchema: Input,
    outputSchema: Output,
    mcpHandler: (input: PhaseInput, context) => run(phase, input, context),
  };
}

async function run(
  phase: DocumentPhase,
  input: PhaseInput,
  context: McpHandlerContext,
): Promise<TextResult> {
  const { cwd } = context;
  const spec = resolveSpec(cwd, input.spec_name);
  let state = await requireState(spec, context.signal);
  const redo = checkPhase(spec, state, phase, input.redo);
  // Calling the next phase's tool is the approval. Otherwise nothing has to be written.
  if (state.awaitingApproval || redo) {
    state = await withLock(cwd, context.signal, () => {
      const now = requireLocked(spec);
      checkPhase(spec, now, phase, input.redo);
      const redoing = new Set([...redoneBy(now), ...(redo ? [phase] : [])]);
      return writeState(spec, now.raw, {
        // Work on an earlier phase says nothing about the one that waits.
        ...(redo ? {} : { awaitingApproval: false }),
        redoPhases: redoing.size > 0 ? [...redoing] : undefined,
      });
    });
  }
  const given = phaseInstructions(spec, state, phase, { mode: input.context, redo });
  context.log("debug", "Instructions given", { spec: spec.name, phase, redo });
  return withText(given.text, {
    name: spec.name,
    phase,
    current_phase: state.phase,
    redo,
    artifact: given.artifact,
    revise: given.revise,
    files: given.files,
    instructions: given.text,
    next: "ralph_complete_phase",
    nextArgs: { spec_name: spec.name, phase },
    warnings: given.warnings,
  });
}
