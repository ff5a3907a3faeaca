/** `ralph_complete_phase`: records that a phase is finished, and starts the next one. */

import * as z from "zod";
import type { Tool } from "../../../src/tools/tool.ts";
import { completeDocument, completeExecution } from "../complete.ts";
import { phaseMismatch } from "../failures.ts";
import { PHASES } from "../phases.ts";
import { ralphTool, specName } from "../tool.ts";
import { changeSpec } from "../view.ts";

/** The maximum length of a summary, in characters. */
const MAX_SUMMARY = 4 * 1024;

export const completePhase: Tool = ralphTool({
  name: "complete_phase",
  title: "Complete a phase",
  description: "Records that a phase or a revision is finished, and starts the next phase.",
  input: z.strictObject({
    phase: z.enum(PHASES),
    summary: z.string().min(1).describe("What was decided, in two or three sentences"),
    force: z.boolean().optional().describe("Accept open tasks, if the user wants that"),
    spec_name: specName,
  }),
  output: {
    phase: z.string(),
    complete: z.boolean(),
    awaitingApproval: z.boolean(),
    coverage: z.string().nullable(),
  },
  instructs: true,
  run: async ({ phase, summary, force, spec_name }, { project: { cwd }, signal, log }) => {
    const answer = await changeSpec(cwd, spec_name, signal, (view) => {
      const { spec, state } = view;
      if (state.phase !== phase && !state.redoing.some((each) => each === phase)) {
        throw phaseMismatch(spec.name, state.phase, phase);
      }
      const notes: string[] = [];
      const text = shortened(summary.trim(), notes);
      return phase === "execution"
        ? completeExecution(view, text, force === true, notes)
        : completeDocument(view, phase, text, notes);
    });
    log("info", "Phase completed", { spec: answer.spec?.name, phase });
    return answer;
  },
});

function shortened(summary: string, notes: string[]): string {
  if (summary.length <= MAX_SUMMARY) return summary;
  notes.push(`The summary was cut to ${MAX_SUMMARY} characters.`);
  return `${summary.slice(0, MAX_SUMMARY).toWellFormed()} …`;
}
