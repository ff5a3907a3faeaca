/** Writes a spec's files together, if none of them has changed since they were read. */

import { Overtaken, replaceText, sweepTemporaries } from "./files.ts";
import { nextStep, type Step } from "./next.ts";
import { documentOf } from "./phases.ts";
import { newProgress, PROGRESS_FILE, type ProgressStatus, withStatus } from "./progress.ts";
import { type Spec, specFile } from "./specs.ts";
import { changedState, STATE_FILE } from "./state.ts";
import { doneCount, type TaskList } from "./tasks.ts";
import { type SoundView, type View, withProgress, withState } from "./view.ts";

export interface Changes {
  /** Fields of the state; `undefined` removes one. */
  readonly state?: Readonly<Record<string, unknown>>;
  /** Edits the text of the progress file, or of a new one. */
  readonly progress?: (text: string) => string;
  /** The new text of `tasks.md`, and its tasks. */
  readonly tasks?: { readonly text: string; readonly list: TaskList };
}

/**
 * Writes the changes to `tasks.md`, the progress file and the state, or none of them. The status
 * block of the progress file states the next step. The caller holds the lock.
 *
 * @throws {Overtaken} If another program has changed one of the files.
 */
export function save(view: View, changes: Changes): SoundView {
  const { spec, documents, progressFile } = view;
  if (progressFile.problem !== null) throw progressFile.problem;
  const state = changedState(spec, view.state, changes.state ?? {});
  const stateText = JSON.stringify(state.raw, null, 2);
  const after = withState(view, state, stateText, changes.tasks);
  const edit = changes.progress ?? ((text) => text);
  const progress = withStatus(
    edit(progressFile.text ?? newProgress(spec.name, after.goal)),
    statusOf(after, nextStep(after)),
  );
  sweepTemporaries(spec.dir);
  writeFiles(spec, [
    [documentOf("tasks"), documents.tasks.text, after.documents.tasks.text],
    [PROGRESS_FILE, progressFile.text, progress],
    [STATE_FILE, view.stateText, stateText],
  ]);
  return withProgress(after, progress);
}

/** Writes files with a name, an old and a new text; restores the old ones if one of them fails. */
function writeFiles(
  spec: Spec,
  files: readonly [name: string, old: string | null, text: string | null][],
): void {
  const undo: (() => void)[] = [];
  try {
    for (const [name, old, text] of files) {
      if (old === text || text === null) continue;
      const path = specFile(spec, name);
      replaceText(spec.cwd, path, old, text);
      if (old !== null) undo.unshift(() => replaceText(spec.cwd, path, text, old));
    }
  } catch (error) {
    for (const restore of undo) {
      try {
        restore();
      } catch (failure) {
        // A text that an editor has saved since is newer.
        if (!(failure instanceof Overtaken)) throw failure;
      }
    }
    throw error;
  }
}

/** The status block for a next step. */
export function statusOf({ list, state }: View, { status, todo }: Step): ProgressStatus {
  const isOver = status === "complete" || status === "cancelled";
  return {
    phase: isOver ? status : state?.phase ?? "research",
    done: list === null ? 0 : doneCount(list),
    total: list?.tasks.length ?? 0,
    next: todo,
  };
}
