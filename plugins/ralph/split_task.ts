/**
 * Splits a task into smaller ones, which the report brings along.
 *
 * @module
 */

import { brief, few, invalid } from "./failures.ts";
import { type Change, ownRecord, type Report, type TaskPlace, whatShows } from "./reports.ts";
import { asCounter, objectField } from "./state.ts";
import { ticked, withBlock } from "./task_edit.ts";
import { parseTasks, type Task, taskField, type TaskList } from "./tasks.ts";

/** The fields that a new task must have. */
const FIELDS = ["Do", "Files", "Done when", "Verify", "Commit"];

/** How many tasks a split may make, and how often one task may be split. */
const MAX_SPLIT = 10;
const MAX_MODIFICATIONS = 3;

/**
 * What a split changes.
 *
 * @throws {RefraktError} `VALIDATION_ERROR` for tasks that are incomplete, and for one split too many.
 */
export function split({ state, list, task, text }: TaskPlace, report: Report): Change {
  const map = objectField(state, "modificationMap");
  const known = ownRecord(map, task.id);
  const times = asCounter(known["count"]) ?? 0;
  const most = asCounter(state.raw["maxModificationsPerTask"]) ?? MAX_MODIFICATIONS;
  if (times >= most) {
    throw invalid(
      `Task ${task.id} was changed ${times} times already`,
      'Ask the user, or call ralph_task_result with outcome "blocked".',
    );
  }
  const tasks = checkedSplit(list, report.tasks);
  const ids = tasks.map((other) => other.id);
  const earlier = Array.isArray(known["modifications"]) ? known["modifications"] : [];
  const lines = tasks.flatMap((other, index) => [
    ...(index === 0 ? [] : [""]),
    ...other.block.split("\n"),
  ]);
  return {
    message: `Task ${task.id} was split into ${few(ids)}`,
    text: ticked(withBlock(text, task, "behind", lines), task),
    inserted: ids,
    state: {
      modificationMap: {
        ...map,
        [task.id]: {
          ...known,
          count: times + 1,
          modifications: [
            ...earlier,
            { id: ids.join(", "), type: "SPLIT_TASK", reason: whatShows(report) },
          ],
        },
      },
    },
    section: "Completed",
    line: `- [x] ${task.id} ${task.title}: split into ${few(ids)}`,
    notes: [],
  };
}

function checkedSplit(list: TaskList, text: string | undefined): readonly Task[] {
  const example =
    `Call ralph_task_result with tasks such as "- [ ] 1.2.1 Title\\n  - **Do**: …\\n  - **Files**: …\\n  - **Done when**: …\\n  - **Verify**: …\\n  - **Commit**: …".`;
  const parsed = parseTasks(text ?? "");
  const { tasks } = parsed;
  if (tasks.length === 0) throw invalid("A split needs tasks", example);
  if (tasks.length > MAX_SPLIT) {
    throw invalid(`A split makes at most ${MAX_SPLIT} tasks, not ${tasks.length}`, example);
  }
  const used = new Set(list.tasks.map((task) => task.id));
  const problems = [
    ...parsed.warnings,
    ...tasks.filter((task) => used.has(task.id)).map((task) => `${task.id} exists already`),
    ...tasks.filter((task) => task.done).map((task) => `${task.id} is ticked`),
    ...tasks.flatMap((task) => {
      const lacking = FIELDS.filter((field) => !taskField(task, field));
      return lacking.length === 0 ? [] : [`${task.id} lacks ${lacking.join(", ")}`];
    }),
  ].map((problem) => brief(problem, 200));
  if (problems.length > 0) throw invalid(`The new tasks are incomplete: ${few(problems)}`, example);
  return tasks;
}
