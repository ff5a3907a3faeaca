/** The changes that each outcome of a task makes to the plan, the progress file and the state. */

import { asObject } from "../../src/io/json.ts";
import { brief, few, invalid } from "./failures.ts";
import { shownName } from "./names.ts";
import { checkLine, type Report, type ReportedCheck, reportedCheck } from "./reported_check.ts";
import { asCounter, objectField, type State } from "./state.ts";
import { fixDepth, fixNumber, withBlock } from "./task_edit.ts";
import { parseTasks, stampOf, type Task, taskField, type TaskList } from "./tasks.ts";

export interface Change {
  /** A sentence without a final period. */
  readonly message: string;
  /** The new text of `tasks.md`, if tasks were inserted. */
  readonly text?: string;
  /** The ids of the new tasks. */
  readonly inserted?: readonly string[];
  /** Whether the task's box is to be ticked. */
  readonly isDone?: boolean;
  /** The check that the caller reports. */
  readonly reported?: ReportedCheck;
  /** Fields of the state. */
  readonly state?: Readonly<Record<string, unknown>>;
  /** The section of the progress file that gets a line. */
  readonly section: "Completed" | "Learnings" | "Blockers";
  readonly line: string;
  readonly warnings?: readonly string[];
}

interface TaskPlace {
  readonly spec: string;
  readonly state: State;
  readonly list: TaskList;
  /** The text of `tasks.md`. */
  readonly text: string;
  readonly task: Task;
}

/** The field of the state for a task that waits for the user. */
function blockedBy(task: Task, reason: string): Record<string, unknown> {
  return { blockedTask: { stamp: stampOf(task), reason } };
}

/** The command, its exit code and the evidence of a report on one line. */
function summaryOf({ command, exit_code: code, evidence }: Report): string {
  const ran = brief(command?.trim() ?? "", 200);
  const exit = ran === "" || code === undefined ? "" : ` (exit code ${code})`;
  return [ran + exit, brief(evidence ?? "")].filter((part) => part !== "").join(": ");
}

/** What a map of the state holds about a task. */
function entryOf(state: State, map: string, { id }: Task): Readonly<Record<string, unknown>> {
  const entries = objectField(state, map);
  return Object.hasOwn(entries, id) ? asObject(entries[id]) : {};
}

/** A map of the state with new fields for a task. */
function withEntry(state: State, map: string, task: Task, fields: Record<string, unknown>) {
  const entry = { ...entryOf(state, map, task), ...fields };
  return { [map]: { ...objectField(state, map), [task.id]: entry } };
}

export const OUTCOMES: Readonly<
  Record<Report["outcome"], (place: TaskPlace, report: Report) => Change>
> = {
  done: finishTask,
  failed: addFixTask,
  split: splitTask,
  blocked: blockTask,
};

function finishTask({ task }: TaskPlace, report: Report): Change {
  const reported = reportedCheck(task, report);
  const claim = checkLine(task, reported);
  return {
    message: `Task ${task.id} is ticked: ${claim}`,
    isDone: true,
    reported,
    section: "Completed",
    line: `- [x] ${task.id} ${task.title}: ${claim}`,
  };
}

function blockTask({ task }: TaskPlace, report: Report): Change {
  const reason = summaryOf(report);
  if (reason === "") {
    throw invalid(
      `Task ${task.id}: "blocked" needs the question for the user`,
      "Call ralph_task_result with the question as evidence.",
    );
  }
  return {
    message: `Task ${task.id} waits for the user`,
    state: blockedBy(task, reason),
    section: "Blockers",
    line: `- ${task.id} ${task.title}: ${reason}`,
  };
}

/** How many fix tasks a task gets, and how deep fixes of fixes go. */
const MAX_FIXES = 3;

/** A fix task before the failed one, or after too many of them a question to the user. */
function addFixTask(place: TaskPlace, report: Report): Change {
  const { spec, state, list, task, text } = place;
  const error = summaryOf(report);
  if (error === "") {
    throw invalid(
      `Task ${task.id}: "failed" needs to say what failed`,
      "Call ralph_task_result with command and exit_code, or with evidence.",
    );
  }
  const { attempts, fixTaskIds } = entryOf(state, "fixTaskMap", task);
  const fixes = asCounter(attempts) ?? 0;
  const line = `- ${task.id} failed: ${error}`;
  if (fixes >= MAX_FIXES || fixDepth(task) >= MAX_FIXES) {
    return {
      message: `Task ${task.id} failed again, and gets no further fix task`,
      state: {
        ...withEntry(state, "fixTaskMap", task, { lastError: error }),
        ...blockedBy(task, `it failed after ${fixes} fix tasks: ${brief(error, 150)}`),
      },
      section: "Blockers",
      line,
      warnings: [`A task gets at most ${MAX_FIXES} fix tasks, nested at most ${MAX_FIXES} deep.`],
    };
  }
  const id = fixNumber(task, list.tasks);
  const field = (name: string, otherwise: string) => brief(taskField(task, name) ?? otherwise, 400);
  return {
    message: `Task ${task.id} failed; ${id} was added before it`,
    text: withBlock(text, task, "before", [
      `- [ ] ${id} [FIX ${task.id}] Fix the failure of ${task.id}: ${brief(error, 120)}`,
      "  - **Do**:",
      `    1. Find the cause of: ${brief(error, 400)}`,
      "    2. Remove the cause, not the symptom",
      `  - **Files**: ${field("Files", `the files of ${task.id}`)}`,
      `  - **Done when**: the check of ${task.id} passes`,
      `  - **Verify**: ${field("Verify", "the project's own checks")}`,
      `  - **Commit**: \`fix(${shownName(spec)}): fix ${task.id}\``,
    ]),
    inserted: [id],
    state: withEntry(state, "fixTaskMap", task, {
      attempts: fixes + 1,
      fixTaskIds: [...(Array.isArray(fixTaskIds) ? fixTaskIds : []), id],
      lastError: error,
    }),
    section: "Learnings",
    line,
  };
}

/** The fields that a new task must have. */
const FIELDS = ["Do", "Files", "Done when", "Verify", "Commit"];

/** How often one task may be split. */
const MAX_SPLITS = 3;

/**
 * The changes for a split task.
 *
 * @throws {RefraktError} `VALIDATION_ERROR` for incomplete tasks, or after too many splits.
 */
function splitTask({ state, list, task, text }: TaskPlace, report: Report): Change {
  const times = asCounter(entryOf(state, "modificationMap", task)["count"]) ?? 0;
  if (times >= MAX_SPLITS) {
    throw invalid(
      `Task ${task.id} has already been changed ${times} times`,
      'Ask the user, or call ralph_task_result with outcome "blocked".',
    );
  }
  const tasks = newTasks(list, report.tasks ?? "");
  const ids = tasks.map((other) => other.id);
  const blocks = tasks.map(({ block }) => block).join("\n\n");
  return {
    message: `Task ${task.id} was split into ${few(ids)}`,
    text: withBlock(text, task, "behind", blocks.split("\n")),
    inserted: ids,
    isDone: true,
    state: withEntry(state, "modificationMap", task, { count: times + 1 }),
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
