/** Chooses the next task, and counts how often each was handed out. */

import { textOf } from "../../src/io/json.ts";
import { count } from "./failures.ts";
import { blockedTask } from "./next.ts";
import { asCounter, type Blocked, objectField, type State } from "./state.ts";
import {
  doneCount,
  heldBackBy,
  isEndToEnd,
  openTasks,
  stampOf,
  type Stray,
  type Task,
  type TaskList,
} from "./tasks.ts";

/** How many tasks are handed out in all, unless the state says otherwise. */
const MAX_GLOBAL = 100;

export type Choice =
  | { readonly kind: "complete" }
  | { readonly kind: "strays"; readonly strays: readonly Stray[] }
  | { readonly kind: "task"; readonly task: Task; readonly note?: string }
  | { readonly kind: "blocked"; readonly task: Task; readonly blocked: Blocked }
  | { readonly kind: "exhausted"; readonly task: Task; readonly limit: number };

/** How often a task was handed out; a task that was rewritten starts at 0. */
function attemptsOf(state: State, task: Task): number {
  const stored = objectField(state, "taskAttempts");
  const stamp = stampOf(task);
  return Object.hasOwn(stored, stamp) ? asCounter(stored[stamp]) ?? 0 : 0;
}

/** Whether a task was handed out, in this or an earlier wording. */
export function wasHandedOut(state: State, task: Task): boolean {
  const stamps = Object.keys(objectField(state, "taskAttempts"));
  return stamps.some((stamp) => stamp.startsWith(`${task.key}@`)) ||
    lastHandOut(state)?.key === task.key;
}

/** Chooses the task to hand out. Each is handed out at most `maxIterations` times. */
export function choose(
  list: TaskList,
  state: State,
  maxIterations: number,
  wanted: Task | undefined,
): Choice {
  const task = wanted ?? openTasks(list)[0];
  if (task === undefined) {
    const strays = heldBackBy(list);
    return strays.length > 0 ? { kind: "strays", strays } : { kind: "complete" };
  }
  const limit = state.counters.maxGlobalIterations || MAX_GLOBAL;
  if ((state.counters.globalIteration ?? 0) >= limit) return { kind: "exhausted", task, limit };
  const blocked = blockOf(list, state, maxIterations, task);
  if (blocked === null) return { kind: "task", task };
  const cleanup = cleanupFor(list, task);
  if (cleanup === undefined || attemptsOf(state, cleanup) >= maxIterations) {
    return { kind: "blocked", task, blocked };
  }
  const note = `Task ${task.id} is blocked: ${blocked.reason}. ` +
    "First clean up what the end-to-end checks started.";
  return { kind: "task", task: cleanup, note };
}

/** Why a task is not handed out, or `null`. */
function blockOf(
  list: TaskList,
  state: State,
  maxIterations: number,
  task: Task,
): Blocked | null {
  const attempts = attemptsOf(state, task);
  if (attempts >= maxIterations) {
    const reason = `it was handed out ${count(attempts, "time")} and is still open`;
    return { stamp: stampOf(task), reason, attempts };
  }
  // A larger limit lifts a block by the number of attempts.
  const isStored = blockedTask(state, list) === task && state.blocked?.attempts === undefined;
  return isStored ? state.blocked : null;
}

/** The fields of the state after a task was handed out. */
export function handOut(
  state: State,
  list: TaskList,
  task: Task,
): { changes: Record<string, unknown>; attempt: number } {
  const attempt = attemptsOf(state, task) + 1;
  const open = new Map(
    openTasks(list).map((other) => [stampOf(other), attemptsOf(state, other)] as const),
  ).set(stampOf(task), attempt);
  return {
    attempt,
    changes: {
      phase: "execution",
      awaitingApproval: false,
      approvalFor: undefined,
      completedAt: undefined,
      openAtCompletion: undefined,
      blockedTask: undefined,
      totalTasks: list.tasks.length,
      taskIndex: task.index,
      taskIteration: attempt,
      taskAttempts: Object.fromEntries([...open].filter(([, attempts]) => attempts > 0)),
      globalIteration: (state.counters.globalIteration ?? 0) + 1,
      handedOut: { key: task.key, done: doneCount(list) },
    },
  };
}

/** The open task that cleans up after the end-to-end checks, if something may be running. */
function cleanupFor(list: TaskList, blocked: Task): Task | undefined {
  const checks = list.tasks.filter(isEndToEnd);
  if (!isEndToEnd(blocked) && !checks.some((task) => task.done)) return undefined;
  const named = checks.filter((task) => /clean|tear|stop|shut/i.test(task.title)).at(-1);
  const cleanup = named ?? (checks.length > 1 ? checks.at(-1) : undefined);
  return cleanup === undefined || cleanup.done || cleanup.key === blocked.key ? undefined : cleanup;
}

export interface HandOut {
  readonly key: string;
  /** How many tasks were ticked then. */
  readonly done: number;
}

export function lastHandOut(state: State): HandOut | null {
  const stored = objectField(state, "handedOut");
  const [key, done] = [textOf(stored["key"]), asCounter(stored["done"])];
  return key === undefined || done === undefined ? null : { key, done };
}

/** A warning if more tasks were ticked than handed out. */
export function tickWarning(state: State, list: TaskList): string | null {
  const last = lastHandOut(state);
  const ticked = last === null ? 0 : doneCount(list) - last.done;
  return ticked <= 1
    ? null
    : `${ticked} tasks were ticked since the last one was handed out. Check that all of them are done and verified.`;
}
