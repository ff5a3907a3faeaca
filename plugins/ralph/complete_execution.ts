/** Completes the execution, and with it the spec. */

import { today } from "./complete_document.ts";
import { few, missing } from "./failures.ts";
import { shownCoverage } from "./lint/coverage.ts";
import { lintSpec } from "./lint/mod.ts";
import { shownName } from "./names.ts";
import { nextStep } from "./next.ts";
import { documentOf } from "./phases.ts";
import { withRecord } from "./progress.ts";
import { save } from "./save.ts";
import { specPath } from "./specs.ts";
import { heldBackBy, openTasks, strayAdvice } from "./tasks.ts";
import type { Answer } from "./tool.ts";
import type { SoundView } from "./view.ts";

/**
 * Completes the execution. The caller holds the lock; `notes` gets warnings.
 *
 * @throws {RefraktError} `MISSING_PREREQUISITES` for open tasks, unless `force` accepts them.
 */
export function completeExecution(
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
  const total = list?.tasks.length ?? state.counters.totalTasks ?? 0;
  const after = isAlready ? view : save(view, {
    progress: (text) => withRecord(text, `Execution Phase Complete (${today()})`, summary),
    state: {
      completedAt: new Date().toISOString(),
      openAtCompletion: open.length,
      awaitingApproval: false,
      approvalFor: undefined,
      blockedTask: undefined,
      redoPhases: undefined,
      ...(list === null ? {} : { totalTasks: total, taskIndex: total - open.length }),
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
      `Summary: ${summary}`,
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
