/**
 * Taking up a spec again: a sound state stays, a corrupt or missing one is rebuilt
 * from the documents.
 *
 * @module
 */

import { fileFailure } from "./failures.ts";
import { inferPhase, readGoal, readTasks } from "./overview.ts";
import {
  newProgress,
  PROGRESS_FILE,
  readProgress,
  withGoal,
  withStatus,
  writeProgress,
} from "./progress.ts";
import { type Spec, specPath, writePointer } from "./specs.ts";
import { backUp, newestBackup, readState, type State, STATE_FILE, writeState } from "./state.ts";
import { statusOf } from "./status_block.ts";
import { doneCount } from "./tasks.ts";

/** What the caller wants to be different from now on. */
export interface ResumeOptions {
  /** Another goal. */
  readonly goal: string | undefined;
  /** Changes to the state. */
  readonly changes: Readonly<Record<string, unknown>>;
}

/** A spec that was taken up again. */
export interface Resumed {
  /** Its state. */
  readonly state: State;
  /** Its goal. */
  readonly goal: string;
  /** What was done, in sentences. */
  readonly notes: string[];
}

/**
 * Takes a spec up again and makes it the current one. The caller holds the lock.
 *
 * @throws {RefraktError} `FILE_OPERATION_FAILED` where a corrupt state cannot be kept.
 */
export function resumeSpec(spec: Spec, options: ResumeOptions): Resumed {
  const notes: string[] = [];
  const read = readState(spec);
  const sound = read.kind === "ok" ? read.state : null;
  if (sound === null) notes.push(...keepCorrupt(spec, read.kind === "corrupt"));
  const goal = options.goal ?? readGoal(spec, sound);
  const { list } = readTasks(spec);
  const phase = sound?.phase ?? inferPhase(spec);
  const total = list?.tasks.length ?? 0;
  const status = statusOf(
    phase,
    list === null ? 0 : doneCount(list),
    total,
    "Taken up again",
  );
  notes.push(
    sound === null
      ? `The state was rebuilt: the phase '${phase}' follows from the documents.`
      : `The state of '${spec.name}' is sound; the spec is current again.`,
  );
  let diary: string | null = null;
  try {
    diary = readProgress(spec);
  } catch {
    notes.push(`${specPath(spec, PROGRESS_FILE)} could not be read and was written anew.`);
  }
  writeProgress(
    spec,
    diary === null
      ? newProgress(spec.name, goal, status)
      : withStatus(options.goal === undefined ? diary : withGoal(diary, goal), status),
  );
  const state = writeState(spec, sound?.raw ?? {}, {
    ...(sound === null
      ? { source: "spec", name: spec.name, basePath: `./specs/${spec.name}`, phase }
      // Whoever resumes has looked at what blocked the spec.
      : { globalIteration: undefined }),
    ...(sound === null || options.goal !== undefined ? { goal } : {}),
    ...(total > 0 ? { totalTasks: total } : {}),
    ...options.changes,
  });
  writePointer(spec.cwd, spec.name);
  return { state, goal, notes };
}

/** Keeps a corrupt state file, and says where it or an earlier one is. */
function keepCorrupt(spec: Spec, corrupt: boolean): string[] {
  if (!corrupt) {
    const earlier = newestBackup(spec);
    return earlier === null ? [] : [`An earlier state file is kept as ${specPath(spec, earlier)}.`];
  }
  const backup = backUp(spec);
  if (backup === null) {
    const path = specPath(spec, `${STATE_FILE}.bak`);
    throw fileFailure(spec.cwd, "write", path, "the corrupt state file could not be moved");
  }
  return [`The corrupt state file was kept as ${specPath(spec, backup)}.`];
}
