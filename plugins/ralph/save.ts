/**
 * The one way to change a spec: its files together, and only while they are what was read.
 *
 * @module
 */

import { removeFolder } from "../../src/io/files.ts";
import { fileOperation } from "./failures.ts";
import { Overtaken, replaceText, sweepTemporaries, writeText } from "./files.ts";
import { nextStep, type Step } from "./next.ts";
import { documentOf } from "./phases.ts";
import { newProgress, PROGRESS_FILE, withStatus } from "./progress.ts";
import { type Spec, specFile, specPath } from "./specs.ts";
import { changedState, STATE_FILE } from "./state.ts";
import { doneCount, parseTasks } from "./tasks.ts";
import { type ReadFile, type SoundView, type View, viewOf } from "./view.ts";

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
 * Writes the changes: tasks, progress file and state together, or none of them, and only while
 * each is what the view has read. The status block of the progress file says what
 * {@linkcode nextStep} says of the new view. The caller holds the lock.
 *
 * @throws {Overtaken} Where somebody else has written one of them.
 */
export function save(view: View, changes: Changes): SoundView {
  const { spec } = view;
  const state = changedState(spec, view.state, changes.state ?? {});
  const tasksFile = changes.tasks === undefined
    ? view.tasksFile
    : { text: changes.tasks, problem: null };
  const list = changes.tasks === undefined ? view.list : parseTasks(changes.tasks);
  const stateText = JSON.stringify(state.raw, null, 2);
  const facts = { spec, args: view.args, state, stateText, corrupt: null, tasksFile, list };
  const after = viewOf({ ...facts, progressFile: () => view.progressFile });
  if (view.progressFile.problem !== null) throw view.progressFile.problem;
  const own = changes.progress ?? ((text: string) => text);
  const progress = withStatus(
    own(view.progressFile.text ?? newProgress(spec.name, view.goal)),
    statusBlock(after, nextStep(after)),
  );
  sweepTemporaries(spec.dir);
  writeFiles(spec, [
    [documentOf("tasks"), view.tasksFile, tasksFile.text ?? ""],
    [PROGRESS_FILE, view.progressFile, progress],
    [STATE_FILE, { text: view.stateText, problem: null }, stateText],
  ]);
  return viewOf({ ...facts, progressFile: () => ({ text: progress, problem: null }) });
}

/** Writes files of a spec, or takes back what was written of them. */
function writeFiles(spec: Spec, files: readonly [string, ReadFile, string][]): void {
  const undo: (() => void)[] = [];
  try {
    for (const [name, { text: old, isGivenUp }, text] of files) {
      if (old === text || old === null && text === "") continue;
      const path = specFile(spec, name);
      if (isGivenUp === true) {
        writeText(spec.cwd, path, text);
        continue;
      }
      replaceText(spec.cwd, path, old, text);
      if (old !== null) undo.unshift(() => replaceText(spec.cwd, path, text, old));
    }
  } catch (error) {
    for (const step of undo) {
      try {
        step();
      } catch (failure) {
        // What somebody has written into it since is newer.
        if (!(failure instanceof Overtaken)) throw failure;
      }
    }
    throw error;
  }
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
