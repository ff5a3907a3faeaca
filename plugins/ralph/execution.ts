/**
 * Which task is next, and whether it may be handed out once more. Pure functions
 * of the tasks and the state.
 *
 * @module
 */

import { asCounter, objectField, type State } from "./state.ts";
import {
  doneCount,
  few,
  filesOf,
  isEndToEnd,
  isParallel,
  openTasks,
  type Task,
  type TaskList,
} from "./tasks.ts";

/** The most tasks of a group, and the default limit of hand-outs in all. */
export const MAX_GROUP = 5;
const MAX_GLOBAL = 100;

/** What is to be done next. */
export type Choice =
  | { readonly kind: "complete" }
  | { readonly kind: "tasks"; readonly tasks: readonly Task[]; readonly notes: readonly string[] }
  | { readonly kind: "blocked"; readonly task: Task; readonly attempts: number }
  | { readonly kind: "exhausted"; readonly task: Task; readonly limit: number };

/** How often each task was handed out; tasks that are ticked or gone are forgotten. */
export function attemptsOf(state: State, list: TaskList): Map<string, number> {
  const stored = objectField(state, "taskAttempts");
  const attempts = new Map<string, number>();
  for (const task of openTasks(list)) {
    const count = Object.hasOwn(stored, task.key) ? asCounter(stored[task.key]) : undefined;
    if (count !== undefined && count > 0) attempts.set(task.key, count);
  }
  return attempts;
}

/**
 * Chooses what to hand out.
 *
 * @param list The tasks.
 * @param state The state.
 * @param options The limit for each task, the size of a group, and a task that was asked for.
 */
export function choose(
  list: TaskList,
  state: State,
  options: { maxIterations: number; maxParallel: number; wanted: Task | undefined },
): Choice {
  const open = openTasks(list);
  const first = options.wanted ?? open[0];
  if (first === undefined) return { kind: "complete" };
  const attempts = attemptsOf(state, list);
  const tried = (task: Task) => attempts.get(task.key) ?? 0;
  const limit = state.counters.maxGlobalIterations || MAX_GLOBAL;
  if ((state.counters.globalIteration ?? 0) >= limit) {
    return { kind: "exhausted", task: first, limit };
  }
  if (tried(first) >= options.maxIterations) {
    const cleanup = cleanupFor(list, first);
    if (cleanup !== undefined && tried(cleanup) < options.maxIterations) {
      return {
        kind: "tasks",
        tasks: [cleanup],
        notes: [
          `Task ${first.id} is blocked after ${
            tried(first)
          } attempts. What was started for the checks has to be cleaned up first.`,
        ],
      };
    }
    return { kind: "blocked", task: first, attempts: tried(first) };
  }
  if (options.wanted !== undefined || options.maxParallel < 2) {
    return { kind: "tasks", tasks: [first], notes: [] };
  }
  const group = groupFrom(list, first, options.maxParallel)
    .filter((task) => tried(task) < options.maxIterations);
  const clash = overlap(group);
  if (clash !== null) {
    return {
      kind: "tasks",
      tasks: [first],
      notes: [`The [P] tasks from ${first.id} on share files (${clash}); they run one by one.`],
    };
  }
  return { kind: "tasks", tasks: group.length < 2 ? [first] : group, notes: [] };
}

/** The open [P] tasks from this one on, up to the first task or heading that ends the group. */
function groupFrom(list: TaskList, first: Task, most: number): Task[] {
  const group: Task[] = [];
  for (const task of list.tasks.slice(first.index)) {
    if (!isParallel(task) || task.section !== first.section) break;
    if (!task.done) group.push(task);
    if (group.length >= Math.min(most, MAX_GROUP)) break;
  }
  return group;
}

function overlap(group: readonly Task[]): string | null {
  const owner = new Map<string, string>();
  const shared = new Set<string>();
  for (const task of group) {
    for (const file of new Set(filesOf(task))) {
      if (owner.has(file)) shared.add(file);
      owner.set(file, task.id);
    }
  }
  return shared.size === 0 ? null : few([...shared], 5);
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
  /** The keys of the tasks. */
  readonly keys: readonly string[];
  /** The ticks at that time. */
  readonly done: number;
}

/** The last hand-out, where the state knows it. */
export function lastHandOut(state: State): HandOut | null {
  const stored = objectField(state, "handedOut");
  const done = asCounter(stored["done"]);
  const keys = stored["keys"];
  if (done === undefined || !Array.isArray(keys)) return null;
  return { done, keys: keys.filter((key): key is string => typeof key === "string") };
}

/** A warning where more was ticked than was handed out. */
export function tickWarning(state: State, list: TaskList): string | null {
  const last = lastHandOut(state);
  if (last === null) return null;
  const ticked = doneCount(list) - last.done;
  return ticked <= last.keys.length
    ? null
    : `${ticked} tasks were ticked since the last hand-out, which was of ${last.keys.length}. Check that all of them were done and verified.`;
}
