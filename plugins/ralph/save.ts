/** Writes a spec's files together, if none of them has changed since they were read. */

import { replaceTexts, specsFolder, sweepTemporaries } from "./files.ts";
import { specFile } from "./folders.ts";
import { nextStep } from "./next.ts";
import { newProgress, PROGRESS_FILE, withStatus } from "./progress.ts";
import { type SoundSpec, type Spec, specOf, withFile } from "./spec.ts";
import { changedState, STATE_FILE } from "./state.ts";

interface Changes {
  /** Fields of the state; `undefined` removes one. */
  readonly state?: Readonly<Record<string, unknown>>;
  /** Edits the text of the progress file, or of a new one. */
  readonly progress?: (text: string) => string;
  /** The new text of `tasks.md`. */
  readonly tasks?: string;
}

/**
 * Writes the changes to `tasks.md`, the progress file and the state, or none of them. The state
 * counts the tasks, and the status block of the progress file states the next step. The caller
 * holds the lock.
 *
 * @throws {RefraktError} `CONFLICT` if another program has changed one of the files.
 */
export function save(spec: Spec, changes: Changes): SoundSpec {
  const planned = changes.tasks === undefined ? spec : withFile(spec, "tasks.md", changes.tasks);
  const state = changedState(spec, { ...countersOf(planned), ...changes.state });
  return { ...write(spec, specOf({ ...planned, state, noState: null }), changes.progress), state };
}

/** Removes the state, and edits the progress file. The caller holds the lock. */
export function saveCancelled(spec: Spec, progress: (text: string) => string): void {
  const noState = { kind: "cancelled", reason: "", backup: null } as const;
  write(spec, { ...spec, state: null, noState }, progress);
}

function write(before: Spec, after: Spec, edit = (text: string) => text): Spec {
  const { cwd, name, dir, state, list } = after;
  const { text, problem } = after.files[PROGRESS_FILE];
  if (problem !== null) throw problem;
  const { status, todo } = nextStep(after);
  const isOver = status === "complete" || status === "cancelled";
  const progress = withStatus(
    edit(text ?? newProgress(name, after.goal)),
    isOver ? status : state?.phase ?? "research",
    list?.tasks.length ? `${list.done}/${list.tasks.length}` : "not planned yet",
    todo,
  );
  const written = withFile(after, PROGRESS_FILE, progress);
  const changes = (["tasks.md", PROGRESS_FILE] as const).map((file) => ({
    path: specFile(after, file),
    old: before.files[file].text,
    text: written.files[file].text,
  }));
  const old = before.state?.text ?? null;
  sweepTemporaries(cwd, dir);
  replaceTexts(specsFolder(cwd), [
    ...changes,
    { path: specFile(after, STATE_FILE), old, text: state?.text ?? null },
  ]);
  return written;
}

/** What other programs read about the tasks. */
function countersOf({ list }: Spec): Record<string, number> {
  if (list === null) return {};
  const total = list.tasks.length;
  return { totalTasks: total, taskIndex: list.open[0]?.index ?? total };
}
