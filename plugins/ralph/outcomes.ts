/** The changes that each outcome of a task makes to the plan, the progress file and the state. */

import { asObject } from "../../src/io/json.ts";
import { word } from "../../src/plain_text.ts";
import type { PlannedSpec } from "./execution.ts";
import { brief, few, invalid } from "./failures.ts";
import { checkLine, type ReportedCheck, reportedCheck, type TaskReport } from "./reported_check.ts";
import type { State } from "./state.ts";
import { fixDepth, fixNumber, parseTasks, stampOf, taskField, ticked, withBlock } from "./tasks.ts";
import type { Task, TaskList } from "./tasks.ts";

export interface Change {
  /** A sentence without a final period. */
  readonly message: string;
  /** Changes the text of `tasks.md`. */
  readonly edit?: (text: string) => string;
  /** The ids of the new tasks. */
  readonly inserted?: readonly string[];
  /** The check that the caller reports. */
  readonly reported?: ReportedCheck | null;
  /** Fields of the state. */
  readonly state?: Readonly<Record<string, unknown>>;
  /** The section of the progress file that gets a line; an empty line records nothing. */
  readonly section: "Completed" | "Learnings" | "Blockers";
  readonly line: string;
  readonly warnings?: readonly string[];
}

export const OUTCOMES: Readonly<
  Record<TaskReport["outcome"], (task: Task, report: TaskReport, spec: PlannedSpec) => Change>
> = {
  done: finishTask,
  failed: addFixTask,
  split: splitTask,
  blocked: blockTask,
};

/** How many fix tasks a task gets, and how deep fixes of fixes go. */
const MAX_FIXES = 3;

/** How often one task may be split. */
const MAX_SPLITS = 3;

/** The fields that a new task must have. */
const TASK_FIELDS = ["Do", "Files", "Done when", "Verify", "Commit"];

function finishTask(task: Task, report: TaskReport): Change {
  const reported = reportedCheck(task, report);
  const claim = checkLine(task, reported);
  return {
    message: `Task ${task.id} is ticked: ${claim}`,
    edit: (text) => ticked(text, task),
    reported,
    section: "Completed",
    line: `- [x] ${task.id} ${task.title}: ${claim}`,
  };
}

function blockTask(task: Task, report: TaskReport): Change {
  const reason = summaryOf(task, report, "the question for the user as evidence");
  return {
    message: `Task ${task.id} waits for the user`,
    state: blockedBy(task, reason),
    section: "Blockers",
    line: `- ${task.id} ${task.title}: ${reason}`,
  };
}

/** A fix task before the failed one, or after too many of them a question to the user. */
function addFixTask(task: Task, report: TaskReport, spec: PlannedSpec): Change {
  const { state, list } = spec;
  const error = summaryOf(task, report, "command and exit_code, or what failed as evidence");
  const { attempts: fixes = 0, fixTaskIds = [] } = state.fixTaskMap[task.id] ?? {};
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
  const block = `- [ ] ${id} [FIX ${task.id}] Fix the failure of ${task.id}: ${brief(error, 120)}
  - **Do**:
    1. Find the cause of: ${brief(error, 400)}
    2. Remove the cause, not the symptom
  - **Files**: ${field("Files", `the files of ${task.id}`)}
  - **Done when**: the check of ${task.id} passes
  - **Verify**: ${field("Verify", "the project's own checks")}
  - **Commit**: \`fix(${word(spec.name)}): fix ${task.id}\`
`;
  return {
    message: `Task ${task.id} failed; ${id} was added before it`,
    edit: (text) => withBlock(text, task.line, block.split("\n")),
    inserted: [id],
    state: withEntry(state, "fixTaskMap", task, {
      attempts: fixes + 1,
      fixTaskIds: [...fixTaskIds, id],
      lastError: error,
    }),
    section: "Learnings",
    line,
  };
}

/** @throws {RefraktError} `VALIDATION_ERROR` for incomplete tasks, or after too many splits. */
function splitTask(task: Task, report: TaskReport, spec: PlannedSpec): Change {
  const { state, list } = spec;
  const times = state.modificationMap[task.id]?.count ?? 0;
  if (times >= MAX_SPLITS) {
    throw invalid(
      `Task ${task.id} has already been changed ${times} times`,
      'Ask the user, or call ralph_task_result with outcome "blocked".',
    );
  }
  const tasks = newTasks(list, report.tasks ?? "");
  const ids = tasks.map(({ id }) => id);
  const lines = tasks.flatMap(({ block }) => ["", ...block.split("\n")]);
  return {
    message: `Task ${task.id} was split into ${few(ids)}`,
    edit: (text) => ticked(withBlock(text, task.end, lines), task),
    inserted: ids,
    state: withEntry(state, "modificationMap", task, { count: times + 1 }),
    section: "Completed",
    line: `- [x] ${task.id} ${task.title}: split into ${few(ids)}`,
  };
}

function newTasks(list: TaskList, text: string): readonly Task[] {
  const { tasks, warnings } = parseTasks(text);
  const used = new Set(list.tasks.map(({ id }) => id));
  const problems = tasks.length === 0 ? ["there are none"] : [...warnings];
  for (const task of tasks) {
    if (used.has(task.id)) problems.push(`${task.id} already exists`);
    if (task.done) problems.push(`${task.id} is ticked`);
    const lacking = TASK_FIELDS.filter((field) => !taskField(task, field));
    if (lacking.length > 0) problems.push(`${task.id} lacks ${lacking.join(", ")}`);
  }
  if (problems.length === 0) return tasks;
  throw invalid(
    `The tasks of the split are not valid: ${few(problems.map((each) => brief(each, 200)))}`,
    `Call ralph_task_result with tasks such as "- [ ] 1.2.1 Title\\n  - **Do**: …\\n  - **Files**: …\\n  - **Done when**: …\\n  - **Verify**: …\\n  - **Commit**: …".`,
  );
}

/** The command, its exit code and the evidence of a report on one line; there has to be some. */
function summaryOf({ id }: Task, report: TaskReport, required: string): string {
  const { outcome, command, exit_code: code, evidence } = report;
  const ran = brief(command?.trim() ?? "", 200);
  const exit = ran === "" || code === undefined ? "" : ` (exit code ${code})`;
  const summary = [ran + exit, brief(evidence ?? "")].filter((part) => part !== "").join(": ");
  if (summary !== "") return summary;
  const message = `Task ${id}: "${outcome}" needs ${required}`;
  throw invalid(message, `Call ralph_task_result with ${required}.`);
}

/** The field of the state for a task that waits for the user. */
const blockedBy = (task: Task, reason: string) => ({
  blockedTask: { stamp: stampOf(task), reason },
});

/** A map of the state with new fields for a task; all else in it stays. */
function withEntry({ raw }: State, map: string, { id }: Task, fields: object) {
  const entries = asObject(raw[map]);
  return { [map]: { ...entries, [id]: { ...asObject(entries[id]), ...fields } } };
}
