/** The report about a task, and the changes that follow from it. */

import { asObject } from "../../src/io/json.ts";
import { brief } from "./failures.ts";
import { objectField, type State } from "./state.ts";
import { stampOf, type Task, type TaskList } from "./tasks.ts";

export interface Report {
  readonly outcome: "done" | "failed" | "split" | "blocked";
  readonly command?: string | undefined;
  readonly exit_code?: number | undefined;
  /** The exit code that counts as success: this one, any but 0 (`fail`), or 0. */
  readonly expected?: number | "pass" | "fail" | undefined;
  readonly evidence?: string | undefined;
  /** The tasks of a split, in the syntax of `tasks.md`. */
  readonly tasks?: string | undefined;
}

export interface Change {
  /** A sentence without a final period. */
  readonly message: string;
  /** The new text of `tasks.md`. */
  readonly text: string;
  readonly inserted: readonly string[];
  /** Fields of the state. */
  readonly state?: Readonly<Record<string, unknown>>;
  /** The section of the progress file that gets a line. */
  readonly section: "Completed" | "Learnings" | "Blockers";
  readonly line: string;
  readonly warnings?: readonly string[];
}

export interface TaskPlace {
  readonly spec: string;
  readonly state: State;
  readonly list: TaskList;
  /** The text of `tasks.md`. */
  readonly text: string;
  readonly task: Task;
}

/** The field of the state for a task that waits for the user. */
export function blockedBy(task: Task, reason: string): Record<string, unknown> {
  return { blockedTask: { stamp: stampOf(task), reason } };
}

/** The command, its exit code and the evidence of a report on one line. */
export function summaryOf({ command, exit_code: code, evidence }: Report): string {
  const ran = brief(command?.trim() ?? "", 200);
  const exit = ran === "" || code === undefined ? "" : ` (exit code ${code})`;
  return [ran + exit, brief(evidence ?? "")].filter((part) => part !== "").join(": ");
}

/** What the state stores about a task in one of its maps. */
export function storedFor(state: State, map: string, task: Task): Record<string, unknown> {
  const stored = objectField(state, map);
  return Object.hasOwn(stored, task.id) ? asObject(stored[task.id]) : {};
}

/** A map of the state with new fields for a task. */
export function storeFor(
  state: State,
  map: string,
  task: Task,
  fields: Record<string, unknown>,
): Record<string, unknown> {
  const known = storedFor(state, map, task);
  return { [map]: { ...objectField(state, map), [task.id]: { ...known, ...fields } } };
}
