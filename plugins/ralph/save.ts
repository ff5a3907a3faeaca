/** Writes a spec's files together, if none of them has changed since they were read. */

import { replaceTexts, specsFolder, sweepTemporaries } from "./files.ts";
import { nextStep } from "./next.ts";
import { documentOf } from "./phases.ts";
import { newProgress, PROGRESS_FILE, withStatus } from "./progress.ts";
import { specFile } from "./specs.ts";
import { changedState, STATE_FILE } from "./state.ts";
import { doneCount, openTasks, type TaskList } from "./tasks.ts";
import { type SoundView, type View, viewOf } from "./view.ts";

export interface Changes {
  /** Fields of the state; `undefined` removes one. */
  readonly state?: Readonly<Record<string, unknown>>;
  /** Edits the text of the progress file, or of a new one. */
  readonly progress?: (text: string) => string;
  /** The new text of `tasks.md`. */
  readonly tasks?: string;
}

/**
 * Writes the changes to `tasks.md`, the progress file and the state, or none of them. The state
 * counts the tasks, and the status block of the progress file states the next step. The caller holds
 * the lock.
 *
 * @throws {Overtaken} If another program has changed one of the files.
 */
export function save(view: View, changes: Changes): SoundView {
  const { spec } = view;
  const planned = changes.tasks === undefined ? view : viewOf({
    ...view,
    documents: { ...view.documents, tasks: { text: changes.tasks, problem: null } },
  });
  const state = changedState(spec, view.state, { ...countersOf(planned.list), ...changes.state });
  const after = viewOf({ ...planned, state, noState: null });
  const text = progressText(after, changes.progress);
  sweepTemporaries(spec.cwd, spec.dir);
  const texts: [name: string, old: string | null, text: string | null][] = [
    [documentOf("tasks"), view.documents.tasks.text, planned.documents.tasks.text],
    [PROGRESS_FILE, view.progressFile.text, text],
    [STATE_FILE, view.state?.text ?? null, state.text],
  ];
  replaceTexts(
    specsFolder(spec.cwd),
    texts.flatMap(([name, old, text]) =>
      text === null ? [] : { path: specFile(spec, name), old, text }
    ),
  );
  return viewOf({ ...after, progressFile: { text, problem: null } });
}

/** What other programs read about the tasks. */
function countersOf(list: TaskList | null): Record<string, number> {
  if (list === null) return {};
  const total = list.tasks.length;
  return { totalTasks: total, taskIndex: openTasks(list)[0]?.index ?? total };
}

/** The text of the progress file after an edit, with the status of the view. */
export function progressText(view: View, edit = (text: string) => text): string {
  const { spec, state, list, progressFile, goal } = view;
  if (progressFile.problem !== null) throw progressFile.problem;
  const { status, todo } = nextStep(view);
  const isOver = status === "complete" || status === "cancelled";
  return withStatus(edit(progressFile.text ?? newProgress(spec.name, goal)), {
    phase: isOver ? status : state?.phase ?? "research",
    done: list === null ? 0 : doneCount(list),
    total: list?.tasks.length ?? 0,
    next: todo,
  });
}
