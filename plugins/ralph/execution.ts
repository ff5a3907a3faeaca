/** The tasks to execute, and how often each was handed out. */

import { quotedName } from "../../src/plain_text.ts";
import { counted } from "../../src/tools/counted.ts";
import { didYouMean } from "../../src/errors.ts";
import { textOf } from "../../src/io/json.ts";
import { brief, few, invalid, missing, phaseMismatch } from "./failures.ts";
import { shownName } from "./names.ts";
import { blockedTask } from "./next.ts";
import { documentOf, isBefore } from "./phases.ts";
import { specPath } from "./specs.ts";
import { asCounter, type Blocked, counterOf, objectField, type State } from "./state.ts";
import { doneCount, isEndToEnd, openTasks, stampOf, type Task, type TaskList } from "./tasks.ts";
import type { SoundView } from "./view.ts";

/** @throws {RefraktError} `PHASE_MISMATCH` before the tasks phase, or `MISSING_PREREQUISITES`. */
export function tasksToDo({ spec, state, list, documents }: SoundView): TaskList {
  if (isBefore(state.phase, "tasks")) throw phaseMismatch(spec.name, state.phase, "execution");
  if (list !== null && list.tasks.length > 0) return list;
  const { text, problem } = documents.tasks;
  if (problem !== null) throw problem;
  const path = specPath(spec, documentOf("tasks"));
  const why = text === null
    ? "does not exist"
    : text.trim() === ""
    ? "is empty"
    : "has no recognised tasks";
  const syntax = text?.trim()
    ? `A task is a line in the first column such as "- [ ] 1.1 Title". ${
      brief(list!.warnings.join(" "), 600)
    } `
    : "";
  const tool = state.phase === "execution" ? "ralph_tasks with redo: true" : "ralph_tasks";
  throw missing(
    `Tasks not generated. Run ralph_tasks first. ${path} ${why}.`,
    `${syntax}Call ${tool} and write ${path}, then call ralph_implement.`,
  );
}

/** The task with this id, preferably an open one. `tool` is the one to call again. */
export function findTask(list: TaskList, wanted: string, tool: string): Task {
  const named = list.tasks.filter((task) => task.id === wanted || task.key === wanted);
  const found = named.find((task) => !task.done) ?? named[0];
  if (found !== undefined) return found;
  const ids = openTasks(list).map((task) => task.id);
  throw invalid(
    `There is no task '${shownName(wanted)}'`,
    `${didYouMean(wanted, ids)} Open tasks: ${few(ids) || "none"}. Call ${tool} with one of them.`
      .trim(),
  );
}

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

/** Why a task is not handed out, or `null`. Each is handed out at most `maxIterations` times. */
export function blockOf(
  list: TaskList,
  state: State,
  maxIterations: number,
  task: Task,
): Blocked | null {
  const attempts = attemptsOf(state, task);
  if (attempts >= maxIterations) {
    const reason = `it was handed out ${counted(attempts, "time")} and is still open`;
    return { stamp: stampOf(task), reason, attempts };
  }
  // A larger limit lifts a block by the number of attempts.
  const isStored = blockedTask(state, list) === task && state.blocked?.attempts === undefined;
  if (!isStored || state.blocked === null) return null;
  return { ...state.blocked, reason: quotedName(state.blocked.reason) };
}

/** The open task that cleans up after the end-to-end checks, if something may be running. */
export function cleanupFor(
  list: TaskList,
  state: State,
  maxIterations: number,
  blocked: Task,
): Task | undefined {
  const checks = list.tasks.filter(isEndToEnd);
  if (!isEndToEnd(blocked) && !checks.some((task) => task.done)) return undefined;
  const named = checks.filter((task) => /clean|tear|stop|shut/i.test(task.title)).at(-1);
  const cleanup = named ?? (checks.length > 1 ? checks.at(-1) : undefined);
  const isLeft = cleanup !== undefined && !cleanup.done && cleanup.key !== blocked.key &&
    attemptsOf(state, cleanup) < maxIterations;
  return isLeft ? cleanup : undefined;
}

/** The fields of the state after a task was handed out, `taskIteration` times now. */
export function handOut(state: State, list: TaskList, task: Task) {
  const attempt = attemptsOf(state, task) + 1;
  const open = new Map(
    openTasks(list).map((other) => [stampOf(other), attemptsOf(state, other)] as const),
  ).set(stampOf(task), attempt);
  return {
    phase: "execution",
    awaitingApproval: false,
    completedAt: undefined,
    blockedTask: undefined,
    taskIndex: task.index,
    taskIteration: attempt,
    taskAttempts: Object.fromEntries([...open].filter(([, attempts]) => attempts > 0)),
    globalIteration: counterOf(state, "globalIteration") + 1,
    handedOut: { key: task.key, done: doneCount(list) },
  };
}

/** The task that was handed out last, and how many were ticked then. */
export function lastHandOut(state: State): { key: string; done: number } | null {
  const stored = objectField(state, "handedOut");
  const [key, done] = [textOf(stored["key"]), asCounter(stored["done"])];
  return key === undefined || done === undefined ? null : { key, done };
}

/** A warning if more tasks were ticked than handed out. */
export function tickWarning(state: State, list: TaskList): string[] {
  const last = lastHandOut(state);
  const ticked = last === null ? 0 : doneCount(list) - last.done;
  return ticked <= 1 ? [] : [
    `${ticked} tasks were ticked since the last one was handed out. Check that all of them are done and verified.`,
  ];
}
