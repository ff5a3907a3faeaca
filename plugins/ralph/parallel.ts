/**
 * Groups of tasks that are worked on side by side: each keeps a diary of its own,
 * and the next call puts them together.
 *
 * @module
 */

import { messageOf } from "../../src/errors.ts";
import { headAndTail } from "./context.ts";
import { lastHandOut } from "./execution.ts";
import { readInside, removeFile } from "./files.ts";
import { withRecord } from "./progress.ts";
import { type Spec, specFile, specPath } from "./specs.ts";
import { asCounter, objectField, type State } from "./state.ts";
import type { Task, TaskList } from "./tasks.ts";

/** The most of a task's own diary that is kept. */
const MAX_LOG = 4_000;

/** The diary of one task of a group. */
export function logName(task: Task): string {
  return `.progress-task-${task.index}.md`;
}

/** What the merge of a group comes to. */
export interface Merge {
  /** The common diary with the records added. */
  readonly progress: string;
  /** What to change in the state. */
  readonly changes: Record<string, unknown>;
  /** The files to remove once both are written. */
  readonly files: readonly string[];
  /** What went wrong. */
  readonly notes: string[];
}

/** Puts the diaries of the last group into the common one; `null` where there was no group. */
export function mergeGroup(
  spec: Spec,
  state: State,
  list: TaskList,
  progress: string,
): Merge | null {
  const group = objectField(state, "parallelGroup");
  const stored = group["taskIndices"];
  if (!Array.isArray(stored)) return null;
  const indices = stored.map(asCounter).filter((index) => index !== undefined).slice(0, 20);
  const keys = lastHandOut(state)?.keys ?? [];
  const results: Record<string, unknown> = { ...objectField(state, "taskResults") };
  const files: string[] = [];
  const notes: string[] = [];
  for (const [at, index] of indices.entries()) {
    const key = keys[at];
    // Tasks may have moved since; the key knows better than the place.
    const task = list.tasks.find((task) => task.key === key) ?? list.tasks[index];
    const file = `.progress-task-${index}.md`;
    let log: string | null = null;
    try {
      log = readInside(spec.cwd, specFile(spec, file))?.text ?? null;
    } catch (error) {
      notes.push(messageOf(error));
    }
    if (log !== null) {
      files.push(specFile(spec, file));
      progress = withRecord(
        progress,
        `Task ${task?.id ?? index} (in parallel)`,
        headAndTail(log.trim() || "(empty)", MAX_LOG, specPath(spec, file)),
      );
    }
    const status = task?.done === true ? "success" : log === null ? "pending" : "failed";
    results[String(index)] = status === "failed"
      ? { status, error: "The task was left open" }
      : { status };
  }
  return {
    progress,
    changes: { parallelGroup: undefined, taskResults: results },
    files,
    notes,
  };
}

/** Removes the diaries that were merged. */
export function removeLogs(spec: Spec, files: readonly string[]): void {
  for (const file of files) removeFile(spec.cwd, file);
}
