/** Splits a task into the smaller ones of a report. */

import { brief, few, invalid } from "./failures.ts";
import {
  type Change,
  type Report,
  storedFor,
  storeFor,
  summaryOf,
  type TaskPlace,
} from "./reports.ts";
import { asCounter } from "./state.ts";
import { ticked, withBlock } from "./task_edit.ts";
import { parseTasks, type Task, taskField, type TaskList } from "./tasks.ts";

/** The fields that a new task must have. */
const FIELDS = ["Do", "Files", "Done when", "Verify", "Commit"];

/** How often one task may be split. */
const MAX_SPLITS = 3;

/**
 * The changes for a split task.
 *
 * @throws {RefraktError} `VALIDATION_ERROR` for incomplete tasks, or after too many splits.
 */
export function splitTask({ state, list, task, text }: TaskPlace, report: Report): Change {
  const { count, modifications } = storedFor(state, "modificationMap", task);
  const times = asCounter(count) ?? 0;
  if (times >= (asCounter(state.raw["maxModificationsPerTask"]) ?? MAX_SPLITS)) {
    throw invalid(
      `Task ${task.id} has already been changed ${times} times`,
      'Ask the user, or call ralph_task_result with outcome "blocked".',
    );
  }
  const tasks = newTasks(list, report.tasks ?? "");
  const ids = tasks.map((other) => other.id);
  const lines = tasks.flatMap(({ block }, index) => [
    ...(index === 0 ? [] : [""]),
    ...block.split("\n"),
  ]);
  const change = { id: ids.join(", "), type: "SPLIT_TASK", reason: summaryOf(report) };
  return {
    message: `Task ${task.id} was split into ${few(ids)}`,
    text: ticked(withBlock(text, task, "behind", lines), task),
    inserted: ids,
    state: storeFor(state, "modificationMap", task, {
      count: times + 1,
      modifications: [...(Array.isArray(modifications) ? modifications : []), change],
    }),
    section: "Completed",
    line: `- [x] ${task.id} ${task.title}: split into ${few(ids)}`,
  };
}

function newTasks(list: TaskList, text: string): readonly Task[] {
  const { tasks, warnings } = parseTasks(text);
  const used = new Set(list.tasks.map((task) => task.id));
  const problems = [
    ...(tasks.length === 0 ? ["there are none"] : warnings),
    ...tasks.filter((task) => used.has(task.id)).map((task) => `${task.id} already exists`),
    ...tasks.filter((task) => task.done).map((task) => `${task.id} is ticked`),
    ...tasks.flatMap((task) => {
      const lacking = FIELDS.filter((field) => !taskField(task, field));
      return lacking.length === 0 ? [] : [`${task.id} lacks ${lacking.join(", ")}`];
    }),
  ];
  if (problems.length === 0) return tasks;
  throw invalid(
    `The tasks of the split are not valid: ${few(problems.map((each) => brief(each, 200)))}`,
    `Call ralph_task_result with tasks such as "- [ ] 1.2.1 Title\\n  - **Do**: …\\n  - **Files**: …\\n  - **Done when**: …\\n  - **Verify**: …\\n  - **Commit**: …".`,
  );
}
