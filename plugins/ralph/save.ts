/**
 * The one way to change what is on disk about a spec.
 *
 * @module
 */

import { removeFolder } from "../../src/io/files.ts";
import { fileOperation } from "./failures.ts";
import { sweepTemporaries, writeText } from "./files.ts";
import { nextStep, type Step } from "./next.ts";
import { documentOf } from "./phases.ts";
import { newProgress, PROGRESS_FILE, withStatus } from "./progress.ts";
import { type Spec, specFile, specPath } from "./specs.ts";
import { changedState, STATE_FILE } from "./state.ts";
import { doneCount, parseTasks } from "./tasks.ts";
import { type SoundView, type View, viewOf } from "./view.ts";

/** What a call changes. */
export interface Changes {
  /** Fields of the state; `undefined` removes one. */
  readonly state?: Readonly<Record<string, unknown>>;
  /** Another text of the progress file; it is given the present one, or a new one. */
  readonly progress?: (text: string) => string;
  /** Another text of `tasks.md`. */
  readonly tasks?: string;
}

/**
 * Writes the changes: tasks, progress file and state together, or none of them. The status
 * block of the progress file says what {@linkcode nextStep} says of the new view. The caller
 * holds the lock.
 */
export function save(view: View, changes: Changes): SoundView {
  const { spec } = view;
  const state = changedState(spec, view.state, changes.state ?? {});
  const tasksFile = changes.tasks === undefined
    ? view.tasksFile
    : { text: changes.tasks, problem: null };
  const list = changes.tasks === undefined ? view.list : parseTasks(changes.tasks);
  const facts = { spec, args: view.args, state, corrupt: null, tasksFile, list };
  const after = viewOf({ ...facts, progressFile: () => view.progressFile });
  if (view.progressFile.problem !== null) throw view.progressFile.problem;
  const before = view.progressFile.text;
  const own = changes.progress ?? ((text: string) => text);
  const progress = withStatus(
    own(before ?? newProgress(spec.name, view.goal)),
    statusBlock(after, nextStep(after)),
  );
  const writes: [string, string | null, string][] = [
    [documentOf("tasks"), view.tasksFile.text, tasksFile.text ?? ""],
    [PROGRESS_FILE, before, progress],
    [STATE_FILE, null, JSON.stringify(state.raw, null, 2)],
  ];
  const undo: (() => void)[] = [];
  sweepTemporaries(spec.dir);
  try {
    for (const [name, old, text] of writes) {
      if (old === text || old === null && text === "") continue;
      writeText(spec.cwd, specFile(spec, name), text);
      if (old !== null) undo.unshift(() => writeText(spec.cwd, specFile(spec, name), old));
    }
  } catch (error) {
    for (const step of undo) step();
    throw error;
  }
  return viewOf({ ...facts, progressFile: () => ({ text: progress, problem: null }) });
}

/** The status block for a situation. */
export function statusBlock(view: View, step: Step): Parameters<typeof withStatus>[1] {
  const { list, state } = view;
  const over = step.status === "complete" || step.status === "cancelled" ? step.status : null;
  return {
    phase: over ?? state?.phase ?? "research",
    done: list === null ? 0 : doneCount(list),
    total: list === null ? 0 : list.tasks.length,
    next: step.todo,
  };
}

/** Removes the folder of a spec. */
export function removeSpec(spec: Spec): void {
  fileOperation(
    spec.cwd,
    "remove",
    specPath(spec),
    () => removeFolder(spec.cwd, spec.dir),
  );
}
