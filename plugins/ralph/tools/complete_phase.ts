/** `ralph_complete_phase`: records that a phase is finished, and starts the next one. */

import * as z from "zod";
import { word } from "../../../src/plain_text.ts";
import { counted } from "../../../src/plugin/counted.ts";
import type { Tool } from "../../../src/plugin/tool.ts";
import { few, missing, phaseMismatch } from "../failures.ts";
import { specPath } from "../folders.ts";
import { isWorkTree } from "../gitignore.ts";
import { coverageText, lintSpec } from "../lint.ts";
import { nextStep } from "../next.ts";
import { documentOf, type DocumentPhase, phaseAfter, PHASES, titleOf, toolOf } from "../phases.ts";
import { PROGRESS_FILE, withRecord } from "../progress.ts";
import { save } from "../save.ts";
import { changeSpec, type SoundSpec } from "../spec.ts";
import { redoWithout } from "../state.ts";
import { type Answer, ralphTool, specName } from "../tool.ts";

/** The maximum length of a summary, in characters. */
const MAX_SUMMARY = 4 * 1024;

export const completePhaseTool: Tool = ralphTool({
  name: "complete_phase",
  listed: { with: ["ralph"], rank: 11 },
  title: "Complete a phase",
  description: "Records that a phase or a revision is finished, and starts the next phase.",
  input: z.strictObject({
    phase: z.enum(PHASES).describe("That is finished"),
    summary: z.string().trim().min(1).max(MAX_SUMMARY)
      .describe("What was decided"),
    force: z.boolean().optional().describe("Accept open tasks"),
    spec_name: specName,
  }),
  output: {
    phase: z.string(),
    complete: z.boolean(),
    awaitingApproval: z.boolean(),
    coverage: z.string().nullable(),
  },
  instructs: true,
  run: ({ phase, summary, force = false, spec_name }, context) =>
    changeSpec(context, spec_name, (spec) => {
      const { state } = spec;
      if (state.phase !== phase && !state.redoPhases.some((each) => each === phase)) {
        throw phaseMismatch(spec.name, state.phase, phase);
      }
      return phase === "execution"
        ? completeExecution(spec, summary, force)
        : completeDocument(spec, phase, summary);
    }),
});

/** Completes a phase or a revision. The caller holds the lock. */
function completeDocument(spec: SoundSpec, phase: DocumentPhase, summary: string): Answer {
  const { name, state } = spec;
  const { quickMode: quick } = state;
  const isRevision = state.phase !== phase;
  const now = isRevision ? state.phase : phaseAfter(phase);
  const title = titleOf(phase);
  const heading = `${title} Phase ${isRevision ? "Revised" : "Complete"}`;
  const after = save(spec, {
    progress: (text) => withRecord(text, heading, summary),
    state: {
      phase: now,
      redoPhases: redoWithout(state, [phase]),
      awaitingApproval: !quick,
      approvalFor: phase,
    },
  });
  const { coverage, warnings } = checkDocument(after, phase);
  const lack = spec.files[documentOf(phase)].text === null ? `, without ${documentOf(phase)}` : "";
  if (spec.files[PROGRESS_FILE].text === null) {
    warnings.push("The progress file was missing and was recreated.");
  }
  const actions: string[] = [];
  if (!quick) {
    actions.push(
      "Show the user the summary and the open questions of the document, and ask whether to " +
        `continue. If they ask for changes, call ${toolOf(phase)} with redo: true.`,
    );
  }
  if (isWorkTree(spec.cwd)) {
    const commit = quick ? "Commit" : "When they approve, commit";
    actions.push(`${commit} ${specPath(spec)} (\`docs(${word(name)}): ${phase}\`).`);
  }
  return {
    spec,
    message: isRevision
      ? `${title} phase revised. The spec stays in the ${now} phase; check whether later documents need the same change (redo: true on their tools)`
      : `${title} complete${lack}. Run ${toolOf(now)}${quick ? "" : " when the user approves"}`,
    facts: [`Completed: ${phase}`, `Phase: ${now}`, coverage && `Coverage: ${coverage}`],
    body: actions.join("\n"),
    step: nextStep(after),
    warnings,
    data: { phase: now, complete: false, awaitingApproval: !quick, coverage },
  };
}

/** What is wrong with a document, and the coverage of the plan. */
function checkDocument(spec: SoundSpec, phase: DocumentPhase) {
  const file = documentOf(phase);
  const { findings, coverage, checked } = lintSpec(spec);
  const warnings: string[] = [];
  const errors = findings.filter((each) => each.file === file && each.severity === "error");
  if (errors.length > 0) {
    const messages = few(errors.map(({ message }) => message), 5);
    warnings.push(`ralph_check finds ${counted(errors.length, "error")} in ${file}: ${messages}`);
  } else if (!checked.includes(file)) {
    warnings.push(`${specPath(spec, file)} is missing; the phase was completed without it.`);
  }
  return { coverage: phase === "tasks" ? coverageText(coverage) : null, warnings };
}

/**
 * Completes the execution. The caller holds the lock.
 *
 * @throws {RefraktError} `MISSING_PREREQUISITES` for open tasks, unless `force` accepts them.
 */
function completeExecution(spec: SoundSpec, summary: string, force: boolean): Answer {
  const { state, list } = spec;
  const open = list?.open.length ?? 0;
  const total = list?.tasks.length ?? state.totalTasks;
  const path = specPath(spec, "tasks.md");
  const isAlready = nextStep(spec).status === "complete";
  if (!isAlready && !force) requireComplete(spec);
  const notes = [...list?.warnings ?? []];
  if (list === null) notes.push(`${path} is missing, so no task could be checked.`);
  else if (total === 0) notes.push(`${path} has no recognised tasks.`);
  if (open > 0) notes.push(`Completed with ${open} open tasks, by force.`);
  const after = isAlready ? spec : save(spec, {
    progress: (text) => withRecord(text, "Execution Phase Complete", summary),
    state: {
      completedAt: new Date().toISOString(),
      openAtCompletion: open,
      awaitingApproval: false,
      blockedTask: undefined,
      redoPhases: redoWithout(state, PHASES),
    },
  });
  const coverage = coverageText(lintSpec(after).coverage);
  return {
    spec,
    message: isAlready
      ? `Spec '${word(spec.name)}' is already complete, since ${state.completedAt}`
      : "Execution complete. All phases are complete",
    facts: [`Tasks: ${total - open}/${total}`, coverage && `Coverage: ${coverage}`],
    body: "Tell the user that the spec is complete, what is not covered, and what you learnt.",
    step: nextStep(after),
    warnings: notes,
    data: { phase: "execution", complete: true, awaitingApproval: false, coverage },
  };
}

function requireComplete({ list, files }: SoundSpec): void {
  const force =
    "If the user wants to end the spec anyway, call ralph_complete_phase with force: true.";
  const hint = `Call ralph_implement for the next task. ${force}`;
  const { problem } = files["tasks.md"];
  if (problem !== null) throw missing(`${problem.message}, so tasks may still be open`, hint);
  if (list === null) return;
  const { tasks, open, advice } = list;
  if (open.length > 0) {
    const ids = open.map(({ id }) => id);
    const message = `${open.length} of ${tasks.length} tasks are open: ${few(ids)}`;
    throw missing(message, hint, { open: ids.slice(0, 50) });
  }
  if (advice !== null) throw missing(advice, force);
}
