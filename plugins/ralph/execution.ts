/**
 * Which task is next, and whether it may be handed out once more. Pure functions
 * of the tasks and the state.
 *
 * @module
 */

import { count } from "./failures.ts";
import { blockedTask } from "./next.ts";
import { isObject } from "../../src/io/json.ts";
import { asCounter, type Blocked, objectField, type State } from "./state.ts";
import {
  digestOf,
  doneCount,
  heldBackBy,
  isEndToEnd,
  openTasks,
  type Stray,
  type Task,
  type TaskList,
} from "./tasks.ts";

/** The default limit of hand-outs in all. */
const MAX_GLOBAL = 100;

/** What is to be done next. */
export type Choice =
  | { readonly kind: "complete" }
  | { readonly kind: "strays"; readonly strays: readonly Stray[] }
  | { readonly kind: "task"; readonly task: Task; readonly note?: string }
  | { readonly kind: "blocked"; readonly task: Task; readonly blocked: Blocked }
  | { readonly kind: "exhausted"; readonly task: Task; readonly limit: number };

/** How often a task was handed out, and what it said then. */
interface Attempts {
  readonly count: number;
  readonly text: string | null;
}

/** The hand-outs of open tasks by key; tasks that are ticked or gone are forgotten. */
export function attemptsOf(state: State, list: TaskList): Map<string, Attempts> {
  const stored = objectField(state, "taskAttempts");
  const attempts = new Map<string, Attempts>();
  for (const task of openTasks(list)) {
    const value = Object.hasOwn(stored, task.key) ? stored[task.key] : undefined;
    const number = asCounter(isObject(value) ? value["count"] : value);
    if (number === undefined || number === 0) continue;
    const text = isObject(value) && typeof value["text"] === "string" ? value["text"] : null;
    attempts.set(task.key, { count: number, text });
  }
  return attempts;
}

/** How often this text of a task was handed out: one that was rewritten begins anew. */
function triedOf(attempts: ReadonlyMap<string, Attempts>, task: Task): number {
  const known = attempts.get(task.key);
  if (known === undefined || known.text !== null && known.text !== digestOf(task)) return 0;
  return known.count;
}

/** Whether a task was handed out, so that a result can be reported. */
export function wasHandedOut(state: State, list: TaskList, task: Task): boolean {
  return attemptsOf(state, list).has(task.key) || lastHandOut(state)?.key === task.key;
}

/**
 * Chooses what to hand out.
 *
 * @param list The tasks.
 * @param state The state.
 * @param maxIterations How often one task is handed out.
 * @param wanted A task that was asked for.
 */
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
  const attempts = attemptsOf(state, list);
  const tried = triedOf(attempts, task);
  const stored = blockedTask(state, list) === task ? state.blocked! : null;
  const blocked = tried >= maxIterations
    ? {
      key: task.key,
      text: digestOf(task),
      reason: `it was handed out ${count(tried, "time")} and is still open`,
      attempts: tried,
    }
    // A larger limit lets go on what only the number of attempts has blocked.
    : stored?.attempts === undefined
    ? stored
    : null;
  if (blocked === null) return { kind: "task", task };
  const cleanup = cleanupFor(list, task);
  return cleanup !== undefined && triedOf(attempts, cleanup) < maxIterations
    ? {
      kind: "task",
      task: cleanup,
      note:
        `Task ${task.id} is blocked: ${blocked.reason}. What was started for the checks has to be cleaned up first.`,
    }
    : { kind: "blocked", task, blocked };
}

/** The fields of the state after a task was handed out. */
export function handOut(
  state: State,
  list: TaskList,
  task: Task,
): { changes: Record<string, unknown>; attempt: number } {
  const attempts = attemptsOf(state, list);
  const attempt = triedOf(attempts, task) + 1;
  attempts.set(task.key, { count: attempt, text: digestOf(task) });
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
      taskAttempts: Object.fromEntries(attempts),
      globalIteration: (state.counters.globalIteration ?? 0) + 1,
      handedOut: { key: task.key, done: doneCount(list) },
    },
  };
}

/** The open task that cleans up after the end-to-end checks, where something may be running. */
function cleanupFor(list: TaskList, blocked: Task): Task | undefined {
  const checks = list.tasks.filter(isEndToEnd);
  if (!isEndToEnd(blocked) && !checks.some((task) => task.done)) return undefined;
  const named = checks.filter((task) => /clean|tear|stop|shut/i.test(task.title)).at(-1);
  const cleanup = named ?? (checks.length > 1 ? checks.at(-1) : undefined);
  return cleanup === undefined || cleanup.done || cleanup.key === blocked.key ? undefined : cleanup;
}

/** What was handed out last, and how many tasks were ticked then. */
export interface HandOut {
  /** The key of the task. */
  readonly key: string;
  /** The ticks at that time. */
  readonly done: number;
}

/** The last hand-out, where the state knows it. */
export function lastHandOut(state: State): HandOut | null {
  const { key, done } = objectField(state, "handedOut");
  const ticks = asCounter(done);
  return ticks === undefined || typeof key !== "string" ? null : { done: ticks, key };
}

/** A warning where more was ticked than was handed out. */
export function tickWarning(state: State, list: TaskList): string | null {
  const last = lastHandOut(state);
  const ticked = last === null ? 0 : doneCount(list) - last.done;
  return ticked <= 1
    ? null
    : `${ticked} tasks were ticked since the last one was handed out. Check that all of them were done and verified.`;
}
