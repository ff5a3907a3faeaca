/** The tasks to execute, and how often each was handed out. */

import { didYouMean } from "../../src/errors.ts";
import { quotedName, word } from "../../src/plain_text.ts";
import { counted } from "../../src/plugin/counted.ts";
import { brief, few, invalid, missing, phaseMismatch } from "./failures.ts";
import { specPath } from "./folders.ts";
import { blockedIn } from "./next.ts";
import { isBefore } from "./phases.ts";
import type { SoundSpec } from "./spec.ts";
import type { Blocked, State } from "./state.ts";
import { isEndToEnd, isVerification, stampOf, type Task, type TaskList } from "./tasks.ts";

/** How many tasks one call hands out or reports at most. */
export const MAX_BATCH = 20;

/** A spec with tasks to execute. */
export type PlannedSpec = SoundSpec & { readonly list: TaskList };

/** @throws {RefraktError} `PHASE_MISMATCH` before the tasks phase, or `MISSING_PREREQUISITES`. */
export function requireTasks(spec: SoundSpec): PlannedSpec {
  const { state, list } = spec;
  if (isBefore(state.phase, "tasks")) throw phaseMismatch(spec.name, state.phase, "execution");
  if (list !== null && list.tasks.length > 0) return { ...spec, list };
  const { text, problem } = spec.files["tasks.md"];
  if (problem !== null) throw problem;
  const path = specPath(spec, "tasks.md");
  const isEmpty = !text?.trim();
  const why = text === null ? "does not exist" : isEmpty ? "is empty" : "has no recognised tasks";
  const syntax = isEmpty ? "" : 'A task is a line in the first column such as "- [ ] 1.1 Title". ' +
    `${brief(list!.warnings.join(" "), 600)} `;
  const tool = state.phase === "execution" ? "ralph_tasks with redo: true" : "ralph_tasks";
  throw missing(
    `Tasks not generated. Run ralph_tasks first. ${path} ${why}.`,
    `${syntax}Call ${tool} and write ${path}, then call ralph_implement.`,
  );
}

/** The task with this id, preferably an open one. `tool` is the one to call again. */
export function findTask(list: TaskList, wanted: string, tool: string): Task {
  const matches = list.tasks.filter((task) => task.id === wanted || task.key === wanted);
  const task = matches.find((task) => !task.done) ?? matches[0];
  if (task !== undefined) return task;
  const ids = list.open.map(({ id }) => id);
  throw invalid(
    `There is no task '${word(wanted)}'`,
    `${didYouMean(wanted, ids)} Open tasks: ${few(ids) || "none"}. Call ${tool} with one of them.`
      .trim(),
  );
}

/** How often a task was handed out; a task that was rewritten starts at 0. */
const attemptsOf = ({ taskAttempts }: State, task: Task) => taskAttempts[stampOf(task)] ?? 0;

/** Whether a task was handed out, in this or an earlier wording. */
export function wasHandedOut({ taskAttempts }: State, { key }: Task): boolean {
  const stamps = Object.keys(taskAttempts);
  return stamps.some((stamp) => stamp.startsWith(`${key}@`));
}

/** Why a task is not handed out, or `null`. Each is handed out at most `most` times. */
export function blockOf({ list, state }: PlannedSpec, most: number, task: Task): Blocked | null {
  const attempts = attemptsOf(state, task);
  if (attempts >= most) {
    const reason = `it was handed out ${counted(attempts, "time")} and is still open`;
    return { stamp: stampOf(task), reason, attempts };
  }
  const { blockedTask } = state;
  // A larger limit lifts a block by the number of attempts.
  if (blockedTask === undefined || blockedTask.attempts !== undefined) return null;
  if (blockedIn(state, list) !== task) return null;
  return { ...blockedTask, reason: quotedName(blockedTask.reason) };
}

/** The open task that cleans up after the end-to-end checks, if something may be running. */
export function cleanupFor(spec: PlannedSpec, most: number, blocked: Task): Task | undefined {
  const { list, state } = spec;
  const checks = list.tasks.filter(isEndToEnd);
  if (!isEndToEnd(blocked) && !checks.some((task) => task.done)) return undefined;
  const teardown = checks.findLast((task) => /clean|tear|stop|shut/i.test(task.title));
  const cleanup = teardown ?? (checks.length > 1 ? checks.at(-1) : undefined);
  if (cleanup === undefined || cleanup.done || cleanup === blocked) return undefined;
  return attemptsOf(state, cleanup) < most ? cleanup : undefined;
}

/**
 * The first of some tasks, and those that may be done before its result: open ones in order, up to
 * the next check, which is handed out alone.
 */
export function batchFrom(spec: PlannedSpec, task: Task, count: number, most: number): Task[] {
  if (isVerification(task) || isEndToEnd(task)) return [task];
  const { open } = spec.list;
  const following = open.slice(open.indexOf(task) + 1);
  const isLast = (other: Task) =>
    isVerification(other) || isEndToEnd(other) || blockOf(spec, most, other) !== null;
  const end = following.findIndex(isLast);
  return [task, ...following.slice(0, end < 0 ? undefined : end)].slice(0, count);
}

/** The fields of the state after tasks were handed out, the first one `taskIteration` times now. */
export function handOut({ state, list }: PlannedSpec, tasks: readonly Task[]) {
  const task = tasks[0]!;
  const taskIteration = attemptsOf(state, task) + 1;
  const attempts = list.open.map((other) =>
    [stampOf(other), attemptsOf(state, other) + Number(tasks.includes(other))] as const
  );
  return {
    phase: "execution",
    awaitingApproval: false,
    completedAt: undefined,
    blockedTask: undefined,
    taskIndex: task.index,
    taskIteration,
    taskAttempts: Object.fromEntries(attempts.filter(([, count]) => count > 0)),
    globalIteration: state.globalIteration + tasks.length,
  };
}
