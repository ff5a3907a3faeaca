/**
 * The end of the execution, and with it of the spec.
 *
 * @module
 */

import { today } from "./complete_document.ts";
import { few, missing } from "./failures.ts";
import { shownCoverage } from "./lint/coverage.ts";
import { lintSpec } from "./lint/mod.ts";
import { shownName } from "./names.ts";
import { nextStep } from "./next.ts";
import { documentOf } from "./phases.ts";
import { withRecord } from "./progress.ts";
import { specPath } from "./specs.ts";
import { heldBackBy, openTasks, strayAdvice } from "./tasks.ts";
import type { Answer } from "./tool.ts";
import { save } from "./save.ts";
import type { SoundView } from "./view.ts";

/** Completes the execution; the caller holds the lock. */
export function completeExecution(
  view: SoundView,
  summary: string,
  force: boolean,
  notes: string[],
): Answer {
  const { spec, state, list, tasksFile } = view;
  const open = list === null ? [] : openTasks(list);
  const strays = list === null ? [] : heldBackBy(list);
  const path = specPath(spec, documentOf("tasks"));
  const again = nextStep(view).status === "complete";
  if (!again && !force) {
    const force =
      "If the user wants to end the spec all the same, call ralph_complete_phase with force: true.";
    const hint = `Call ralph_implement for the next task. ${force}`;
    if (open.length > 0) {
      throw missing(
        `${open.length} of ${list!.tasks.length} tasks are open: ${
          few(open.map((task) => task.id))
        }`,
        hint,
        { open: open.slice(0, 50).map(({ id, title }) => ({ id, title: title.slice(0, 200) })) },
      );
    }
    if (strays.length > 0) throw missing(strayAdvice(strays), force);
    if (tasksFile.problem !== null) {
      throw missing(`${tasksFile.problem.message}, so open tasks cannot be ruled out`, hint);
    }
  }
  if (list === null) notes.push(`${path} is missing, so no task could be checked.`);
  else if (list.tasks.length === 0) notes.push(`${path} has no recognised tasks.`);
  if (open.length > 0) notes.push(`Completed with ${open.length} open tasks, by force.`);
  for (const warning of list?.warnings ?? []) notes.push(warning);
  const total = list?.tasks.length ?? state.counters.totalTasks ?? 0;
  const after = again ? view : save(view, {
    progress: (progress) => withRecord(progress, `Execution Phase Complete (${today()})`, summary),
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
    message: again
      ? `Spec '${shownName(spec.name)}' is already complete, since ${state.completedAt}`
      : "Execution complete. All phases are complete",
    facts: [
      `Tasks: ${total - open.length}/${total}`,
      ...(coverage === null ? [] : [`Coverage: ${coverage}`]),
      `Summary: ${summary}`,
    ],
    body: "Tell the user that the spec is complete, what is not covered, and what was learnt.",
    step: nextStep(after),
    warnings: notes,
    data: {
      phase: "execution",
      complete: true,
      awaitingApproval: false,
      coverage,
    },
  };
}
