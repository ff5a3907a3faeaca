/**
 * `ralph_complete_phase`: records that a phase is finished and moves on.
 *
 * @module
 */

import { z } from "zod";
import type { CliPluginCommand } from "../../../src/tools/plugin.ts";
import { completeDocument } from "../complete_document.ts";
import { completeExecution } from "../complete_execution.ts";
import { phaseMismatch } from "../failures.ts";
import { PHASES } from "../phases.ts";
import { ralphTool, specName } from "../tool.ts";
import { changeSpec } from "../view.ts";

/** The longest summary that is kept, in characters. */
const MAX_SUMMARY = 4 * 1024;

const Input = z.strictObject({
  phase: z.enum(PHASES),
  summary: z.string().min(1).describe("What was decided, in two or three sentences"),
  force: z.boolean().optional().describe("With open tasks, if the user wants that"),
  spec_name: specName,
});

/** The tool. */
export const completePhase: CliPluginCommand = ralphTool({
  name: "complete_phase",
  title: "Complete a phase",
  description: "Records that a phase or revision is finished, and moves on.",
  input: Input,
  output: {
    phase: "string",
    complete: "boolean",
    awaitingApproval: "boolean",
    coverage: "string?",
  },
  instructs: true,
  run: (input, { cwd, signal, log }) =>
    changeSpec(
      cwd,
      input.spec_name,
      signal,
      ({ spec, state }) => {
        if (state.phase === input.phase) return;
        if (state.redoing.some((phase) => phase === input.phase)) return;
        throw phaseMismatch(spec.name, state.phase, input.phase);
      },
      (view) => {
        const notes: string[] = [];
        const summary = shorten(input.summary, notes);
        const result = input.phase === "execution"
          ? completeExecution(view, summary, input.force === true, notes)
          : completeDocument(view, input.phase, summary, notes);
        log("info", "Phase completed", { spec: view.spec.name, phase: input.phase });
        return result;
      },
    ),
});

function shorten(summary: string, notes: string[]): string {
  const text = summary.trim();
  if (text.length <= MAX_SUMMARY) return text;
  notes.push(`The summary was cut to ${MAX_SUMMARY} characters.`);
  return `${text.slice(0, MAX_SUMMARY).toWellFormed()} …`;
}
