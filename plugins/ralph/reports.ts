/**
 * What is reported about a task, and what that changes.
 *
 * @module
 */

import { isObject } from "../../src/io/json.ts";
import { brief } from "./failures.ts";
import type { State } from "./state.ts";
import { digestOf, type Task, type TaskList } from "./tasks.ts";

/** What was reported about a task. */
export interface Report {
  /** How it went. */
  readonly outcome: "done" | "failed" | "split" | "blocked";
  /** The command that checked it. */
  readonly command?: string | undefined;
  /** How that ended. */
  readonly exit_code?: number | undefined;
  /** How it had to end: with this code, with any but 0 (`fail`), or with 0. */
  readonly expected?: number | "pass" | "fail" | undefined;
  /** What was seen, in the reporter's words. */
  readonly evidence?: string | undefined;
  /** The tasks of a split. */
  readonly tasks?: string | undefined;
}

/** What an outcome changes. */
export interface Change {
  /** What happened, in a sentence. */
  readonly message: string;
  /** The new text of `tasks.md`. */
  readonly text: string;
  /** The numbers of added tasks. */
  readonly inserted: readonly string[];
  /** Changes to the state. */
  readonly state: Readonly<Record<string, unknown>>;
  /** The section of the progress file that gets a line. */
  readonly section: "Completed" | "Learnings" | "Blockers";
  /** The line. */
  readonly line: string;
  /** What the caller should know. */
  readonly notes: readonly string[];
}

/** The task and where it stands. */
export interface TaskPlace {
  /** The spec's name. */
  readonly spec: string;
  /** The state of the spec. */
  readonly state: State;
  /** All tasks, read from `text`. */
  readonly list: TaskList;
  /** The text of `tasks.md`. */
  readonly text: string;
  /** The task, which is open. */
  readonly task: Task;
}

/** The fields of the state of a task that waits for the user; `text` tells when it was rewritten. */
export function blockedBy(task: Task, reason: string): Record<string, unknown> {
  return { blockedTask: { key: task.key, text: digestOf(task), reason } };
}

/** What a report gives as its proof or its reason, on one line. */
export function whatShows({ command, exit_code: code, evidence }: Report): string {
  const ran = command === undefined || command.trim() === ""
    ? ""
    : `${brief(command, 200)}${code === undefined ? "" : ` (exit code ${code})`}`;
  const said = evidence === undefined ? "" : brief(evidence);
  return [ran, said].filter((part) => part !== "").join(": ");
}

/** What the state has noted of a task. */
export function ownRecord(
  map: Readonly<Record<string, unknown>>,
  key: string,
): Readonly<Record<string, unknown>> {
  const value = Object.hasOwn(map, key) ? map[key] : undefined;
  return isObject(value) ? value : {};
}
