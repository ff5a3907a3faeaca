/** `ralph_complete_phase`: records that a phase is finished, and starts the next one. */

import * as z from "zod";
import { counted } from "../../../src/tools/counted.ts";
import type { Tool } from "../../../src/tools/tool.ts";
import { few, missing, phaseMismatch } from "../failures.ts";
import { isWorkTree } from "../gitignore.ts";
import { lintSpec, shownCoverage } from "../lint.ts";
import { shownName } from "../names.ts";
import { nextStep } from "../next.ts";
import { documentOf, type DocumentPhase, phaseAfter, PHASES, titleOf, toolOf } from "../phases.ts";
import { withRecord } from "../progress.ts";
import { save } from "../save.ts";
import { specPath } from "../specs.ts";
import { counterOf } from "../state.ts";
import { heldBackBy, openTasks, strayAdvice } from "../tasks.ts";
import { type Answer, ralphTool, specName } from "../tool.ts";
import { changeSpec, type SoundView } from "../view.ts";

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
  run: ({ phase, summary, force, spec_name }, context) =>
    changeSpec(context, spec_name, (view) => {
      const { spec, state } = view;
      if (state.phase !== phase && !state.redoing.some((each) => each === phase)) {
        throw phaseMismatch(spec.name, state.phase, phase);
      }
      const notes: string[] = [];
      const text = shortened(summary.trim(), notes);
      return phase === "execution"
        ? completeExecution(view, text, force === true, notes)
        : completeDocument(view, phase, text, notes);
    }),
});

function shortened(summary: string, notes: string[]): string {
  if (summary.length <= MAX_SUMMARY) return summary;
  notes.push(`The summary was cut to ${MAX_SUMMARY} characters.`);
  return `${summary.slice(0, MAX_SUMMARY).toWellFormed()} …`;
}

/** Completes a phase or a revision. The caller holds the lock; `notes` gets warnings. */
function completeDocument(
  view: SoundView,
  phase: DocumentPhase,
  summary: string,
  notes: string[],
): Answer {
  const { spec, state, progressFile } = view;
  const isRevision = state.phase !== phase;
  const now = isRevision ? state.phase : phaseAfter(phase);
  const redoing = state.redoing.filter((other) => other !== phase);
  if (progressFile.text === null) notes.push("The progress file was missing and was recreated.");
  const done = isRevision ? "Revised" : "Complete";
  const title = titleOf(phase);
  const after = save(view, {
    progress: (text) => withRecord(text, `${title} Phase ${done}`, summary),
    state: {
      phase: now,
      redoPhases: redoing.length > 0 ? redoing : undefined,
      awaitingApproval: !state.quick,
      approvalFor: phase,
    },
  });
  const coverage = checkDocument(after, phase, notes);
  const approval = state.quick ? "" : " when the user approves";
  return {
    spec,
    message: isRevision
      ? `${title} phase revised. The spec stays in the ${now} phase; check whether later documents need the same change (redo: true on their tools)`
      : `${title} complete. Run ${toolOf(now)}${approval}`,
    facts: [
      `Completed: ${phase}`,
      `Phase: ${now}`,
      ...(coverage === null ? [] : [`Coverage: ${coverage}`]),
    ],
    body: [
      ...(state.quick ? [] : [
        `Show the user the summary and the open questions of the document, and ask whether to continue. If they ask for changes, call ${
          toolOf(phase)
        } with redo: true.`,
      ]),
      ...(isWorkTree(spec.cwd)
        ? [
          `${state.quick ? "Commit" : "When they approve, commit"} ${specPath(spec)} (\`docs(${
            shownName(spec.name)
          }): ${phase}\`).`,
        ]
        : []),
    ].join("\n"),
    step: nextStep(after),
    warnings: notes,
    data: { phase: now, complete: false, awaitingApproval: !state.quick, coverage },
  };
}

/** Notes what is wrong with a document, and returns the coverage of the plan. */
function checkDocument(view: SoundView, phase: DocumentPhase, notes: string[]): string | null {
  const file = documentOf(phase);
  const { findings, coverage, checked } = lintSpec(view);
  const errors = findings.filter((each) => each.file === file && each.severity === "error");
  if (errors.length > 0) {
    const messages = few(errors.map(({ message }) => message), 5);
    notes.push(`ralph_check finds ${counted(errors.length, "error")} in ${file}: ${messages}`);
  } else if (!checked.includes(file)) {
    notes.push(`${specPath(view.spec, file)} is missing; the phase was completed without it.`);
  }
  return phase === "tasks" ? shownCoverage(coverage) : null;
}

/**
 * Completes the execution. The caller holds the lock; `notes` gets warnings.
 *
 * @throws {RefraktError} `MISSING_PREREQUISITES` for open tasks, unless `force` accepts them.
 */
function completeExecution(
  view: SoundView,
  summary: string,
  force: boolean,
  notes: string[],
): Answer {
  const { spec, state, list } = view;
  const open = list === null ? [] : openTasks(list);
  const path = specPath(spec, documentOf("tasks"));
  const isAlready = nextStep(view).status === "complete";
  if (!isAlready && !force) requireComplete(view);
  if (list === null) notes.push(`${path} is missing, so no task could be checked.`);
  else if (list.tasks.length === 0) notes.push(`${path} has no recognised tasks.`);
  if (open.length > 0) notes.push(`Completed with ${open.length} open tasks, by force.`);
  notes.push(...list?.warnings ?? []);
  const total = list?.tasks.length ?? counterOf(state, "totalTasks");
  const after = isAlready ? view : save(view, {
    progress: (text) => withRecord(text, `Execution Phase Complete`, summary),
    state: {
      completedAt: new Date().toISOString(),
      openAtCompletion: open.length,
      awaitingApproval: false,
      blockedTask: undefined,
      redoPhases: undefined,
    },
  });
  const coverage = shownCoverage(lintSpec(after).coverage);
  return {
    spec,
    message: isAlready
      ? `Spec '${shownName(spec.name)}' is already complete, since ${state.completedAt}`
      : "Execution complete. All phases are complete",
    facts: [
      `Tasks: ${total - open.length}/${total}`,
      ...(coverage === null ? [] : [`Coverage: ${coverage}`]),
    ],
    body: "Tell the user that the spec is complete, what is not covered, and what you learnt.",
    step: nextStep(after),
    warnings: notes,
    data: { phase: "execution", complete: true, awaitingApproval: false, coverage },
  };
}

function requireComplete({ list, documents }: SoundView): void {
  const force =
    "If the user wants to end the spec anyway, call ralph_complete_phase with force: true.";
  const hint = `Call ralph_implement for the next task. ${force}`;
  const { problem } = documents.tasks;
  if (problem !== null) throw missing(`${problem.message}, so tasks may still be open`, hint);
  if (list === null) return;
  const open = openTasks(list);
  if (open.length > 0) {
    throw missing(
      `${open.length} of ${list.tasks.length} tasks are open: ${few(open.map(({ id }) => id))}`,
      hint,
      { open: open.slice(0, 50).map(({ id, title }) => ({ id, title: title.slice(0, 200) })) },
    );
  }
  const strays = heldBackBy(list);
  if (strays.length > 0) throw missing(strayAdvice(strays), force);
}
