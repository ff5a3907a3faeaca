/**
 * Taking up a spec again: a sound state stays, a corrupt or missing one is rebuilt
 * from the documents.
 *
 * @module
 */

import { fileFailure } from "./failures.ts";
import { newProgress, PROGRESS_FILE, withGoal } from "./progress.ts";
import { type Spec, specPath, writePointer } from "./specs.ts";
import { backUp, newestBackup, STATE_FILE } from "./state.ts";
import { save } from "./save.ts";
import { inferPhase, look, type SoundView } from "./view.ts";

/**
 * Takes a spec up again and makes it the current one. The caller holds the lock.
 *
 * @param spec The spec.
 * @param goal Another goal.
 * @param changes Changes to the state.
 * @param notes What was done, in sentences, is added to these.
 * @throws {RefraktError} `FILE_OPERATION_FAILED` where a corrupt state cannot be kept.
 */
export function resumeSpec(
  spec: Spec,
  goal: string | undefined,
  changes: Readonly<Record<string, unknown>>,
  notes: string[],
): SoundView {
  const found = look(spec, false);
  const sound = found.state !== null;
  const noState = found.noState;
  if (noState !== null) {
    keepState(spec, noState.kind === "corrupt" && noState.backup === null, notes);
  }
  const phase = found.state?.phase ?? inferPhase(found);
  notes.push(
    sound
      ? `The state of '${spec.name}' is sound; the spec is current again.`
      : `The state was rebuilt: the phase '${phase}' follows from the documents.`,
  );
  const lost = found.progressFile.problem !== null;
  if (lost) {
    notes.push(`${specPath(spec, PROGRESS_FILE)} could not be read and was written anew.`);
  }
  const wanted = goal ?? found.goal;
  const lostFile = { text: null, problem: null, isGivenUp: true };
  const view = save(lost ? { ...found, progressFile: lostFile } : found, {
    progress: (text) =>
      lost ? newProgress(spec.name, wanted) : goal === undefined ? text : withGoal(text, goal),
    state: {
      phase,
      // Whoever takes a spec up again has looked at what blocked it.
      globalIteration: undefined,
      blockedTask: undefined,
      ...(found.state?.blocked ? { taskAttempts: undefined } : {}),
      ...(sound && goal === undefined ? {} : { goal: wanted }),
      ...(found.list === null ? {} : { totalTasks: found.list.tasks.length }),
      ...changes,
    },
  });
  writePointer(spec.cwd, spec.name);
  return view;
}

/** Keeps a corrupt state file, and says where it or an earlier one is. */
function keepState(spec: Spec, corrupt: boolean, notes: string[]): void {
  if (!corrupt) {
    const earlier = newestBackup(spec);
    if (earlier !== null) {
      notes.push(`An earlier state file is kept as ${specPath(spec, earlier)}.`);
    }
    return;
  }
  const backup = backUp(spec);
  if (backup === null) {
    const path = specPath(spec, `${STATE_FILE}.bak`);
    throw fileFailure(spec.cwd, "write", path, "the corrupt state file could not be moved");
  }
  notes.push(`The corrupt state file was kept as ${specPath(spec, backup)}.`);
}
