/**
 * Resumes a spec: keeps a valid state, and rebuilds a corrupt or missing one from the documents.
 */

import { withGoal } from "./progress.ts";
import { save } from "./save.ts";
import { type Spec, writePointer } from "./specs.ts";
import { inferPhase, keepBackup, look, type SoundView } from "./view.ts";

/**
 * Resumes a spec and makes it the current one. The caller holds the lock.
 *
 * @throws {RefraktError} `FILE_OPERATION_FAILED` if a corrupt state cannot be backed up.
 */
export function resumeSpec(
  spec: Spec,
  goal: string | undefined,
  changes: Readonly<Record<string, unknown>>,
  notes: string[],
): SoundView {
  const found = look(spec, false);
  const { state } = found;
  keepBackup(found, notes);
  const phase = state?.phase ?? inferPhase(found);
  notes.push(
    state === null
      ? `The state was rebuilt: the documents imply the phase '${phase}'.`
      : `The state of '${spec.name}' is valid; it is the current spec again.`,
  );
  const view = save(found, {
    progress: (text) => goal === undefined ? text : withGoal(text, goal),
    state: {
      phase,
      // Resuming lifts every block: the user has looked at it.
      globalIteration: undefined,
      blockedTask: undefined,
      ...(state?.blocked ? { taskAttempts: undefined } : {}),
      ...(state !== null && goal === undefined ? {} : { goal: goal ?? found.goal }),
      ...changes,
    },
  });
  writePointer(spec.cwd, spec.name);
  return view;
}
