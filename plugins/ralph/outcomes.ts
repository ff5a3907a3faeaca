/** The changes that each outcome of a task makes to the plan, the progress file and the state. */

import { asObject } from "../../src/io/json.ts";
import { brief, few, invalid } from "./failures.ts";
import { shownName } from "./names.ts";
import { asCounter, objectField, type State } from "./state.ts";
import { fixDepth, fixNumber, withBlock } from "./task_edit.ts";
import { parseTasks, stampOf, type Task, taskField, type TaskList } from "./tasks.ts";

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
  /** The new text of `tasks.md`, if tasks were inserted. */
  readonly text?: string;
  /** The ids of the new tasks. */
  readonly inserted?: readonly string[];
  /** Whether the task's box is to be ticked. */
  readonly isDone?: boolean;
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

/** What the state stores about a task in one of its maps. */
function storedFor(state: State, map: string, task: Task): Record<string, unknown> {
  const stored = objectField(state, map);
  return Object.hasOwn(stored, task.id) ? asObject(stored[task.id]) : {};
}

/** A map of the state with new fields for a task. */
function storeFor(
  state: State,
  map: string,
  task: Task,
  fields: Record<string, unknown>,
): Record<string, unknown> {
  const known = storedFor(state, map, task);
  return { [map]: { ...objectField(state, map), [task.id]: { ...known, ...fields } } };
}

export const OUTCOMES: Readonly<
  Record<Report["outcome"], (place: TaskPlace, report: Report) => Change>
> = {
  done: finishTask,
  failed: addFixTask,
  split: splitTask,
  blocked: blockTask,
};

/**
 * Checks the report that a task is done.
 *
 * @throws {RefraktError} `VALIDATION_ERROR` if no check was run, or if it failed.
 */
export function requirePassed(task: Task, report: Report): void {
  const { command, exit_code: code, expected = "pass" } = report;
  const verify = taskField(task, "Verify");
  if (!command?.trim() || code === undefined) {
    const named = verify === null ? "" : ` Verify names: ${brief(verify)}.`;
    throw invalid(
      `Task ${task.id} is not done: "done" needs command and exit_code of the check`,
      `Run the check and call ralph_task_result with command and exit_code; or report outcome "failed" or "blocked".${named}`,
      { verify },
    );
  }
  const passed = expected === "fail" ? code !== 0 : code === (expected === "pass" ? 0 : expected);
  if (passed) return;
  const wanted = expected === "fail" ? "any but 0" : expected === "pass" ? "0" : expected;
  const red = expected === "pass" && task.tags.includes("RED")
    ? ' It is tagged [RED]: if it has to fail, pass expected: "fail".'
    : "";
  throw invalid(
    `Task ${task.id} is not done: ${
      brief(command, 120)
    } ended with exit code ${code}, expected ${wanted}`,
    `Fix the cause, run it again and call ralph_task_result; or report outcome "failed".${red}`,
    { verify },
  );
}

function finishTask({ task }: TaskPlace, report: Report): Change {
  requirePassed(task, report);
  const verify = taskField(task, "Verify");
  const warnings: string[] = [];
  if (verify !== null && !isSameCheck(verify, report.command!)) {
    warnings.push(
      `Verify of task ${task.id} names another command (${
        brief(verify, 200)
      }). If you have not run it, run it now, and untick the box if it fails.`,
    );
  }
  if (report.exit_code !== 0 && !task.tags.includes("RED")) {
    warnings.push(
      `Task ${task.id} is not tagged [RED], and its check failed. If it should pass, untick the box.`,
    );
  }
  return {
    message: `Task ${task.id} is done`,
    isDone: true,
    section: "Completed",
    line: `- [x] ${task.id} ${task.title}: ${summaryOf(report)}`,
    warnings,
  };
}

/** Whether a command contains one of those that Verify names. */
function isSameCheck(verify: string, command: string): boolean {
  const plain = (text: string) => text.replace(/\s+/g, " ").trim();
  const quoted = [...verify.matchAll(/`([^`]+)`/g)].map((match) => plain(match[1]!));
  const wanted = quoted.length > 0 ? quoted : [plain(verify)];
  return wanted.some((one) => plain(command).includes(one));
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
const MAX_DEPTH = 3;

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
  const { attempts, fixTaskIds } = storedFor(state, "fixTaskMap", task);
  const fixes = asCounter(attempts) ?? 0;
  const maxFixes = asCounter(state.raw["maxFixTasksPerOriginal"]) ?? MAX_FIXES;
  const maxDepth = asCounter(state.raw["maxFixTaskDepth"]) ?? MAX_DEPTH;
  const line = `- ${task.id} failed: ${error}`;
  if (fixes >= maxFixes || fixDepth(task) >= maxDepth) {
    return {
      message: `Task ${task.id} failed again, and gets no further fix task`,
      state: {
        ...storeFor(state, "fixTaskMap", task, { lastError: error }),
        ...blockedBy(task, `it failed after ${fixes} fix tasks: ${brief(error, 150)}`),
      },
      section: "Blockers",
      line,
      warnings: [`A task gets at most ${maxFixes} fix tasks, nested at most ${maxDepth} deep.`],
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
    state: storeFor(state, "fixTaskMap", task, {
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
    text: withBlock(text, task, "behind", lines),
    inserted: ids,
    isDone: true,
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
