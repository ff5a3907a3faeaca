/**
 * What the outcome of a task changes in the plan, the progress file and the state.
 *
 * @module
 */

import { brief, few, invalid } from "./failures.ts";
import { shownName } from "./names.ts";
import { isObject } from "../../src/io/json.ts";
import { asCounter, objectField, type State } from "./state.ts";
import { fixDepth, fixNumber, ticked, withBlock } from "./task_edit.ts";
import { fieldOf, parseTasks, type Task, type TaskList, textOf } from "./tasks.ts";

/** The fields that a new task must have. */
const FIELDS = ["Do", "Files", "Done when", "Verify", "Commit"];

/** How many tasks a split may make, and how often one task may be split. */
const MAX_SPLIT = 10;
const MAX_MODIFICATIONS = 3;

/** How many fixes a task may have, and how deep fixes of fixes may go. */
const MAX_FIXES = 3;
const MAX_DEPTH = 3;

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

/**
 * Works out what a report changes; nothing is written.
 *
 * @throws {RefraktError} `VALIDATION_ERROR` for a check that failed or was not run, and for a
 * bad split.
 */
export function changeFor(place: TaskPlace, report: Report): Change {
  switch (report.outcome) {
    case "done":
      return finish(place, report);
    case "failed":
      return fail(place, report);
    case "split":
      return split(place, report);
    case "blocked":
      return block(place, report);
  }
}

/**
 * Checks the data of a report that a task is done.
 *
 * @throws {RefraktError} `VALIDATION_ERROR` where no check was run, or it ended otherwise than it
 * had to.
 */
export function requirePassed(task: Task, report: Report): void {
  const { command, exit_code: code } = report;
  const verify = fieldOf(task, "Verify");
  const named = verify === null ? "" : ` Verify names: ${brief(verify)}.`;
  if (command === undefined || command.trim() === "" || code === undefined) {
    throw invalid(
      `Task ${task.id} is not done: "done" needs command and exit_code of the check`,
      `Run the check and call ralph_task_result with command and exit_code; or report outcome "failed" or "blocked".${named}`,
      { verify },
    );
  }
  const expected = report.expected ?? "pass";
  const passed = expected === "fail" ? code !== 0 : code === (expected === "pass" ? 0 : expected);
  if (passed) return;
  const wanted = expected === "fail" ? "any but 0" : expected === "pass" ? "0" : String(expected);
  throw invalid(
    `Task ${task.id} is not done: ${
      brief(command, 120)
    } ended with exit code ${code}, expected ${wanted}`,
    `Mend the cause, run it again and call ralph_task_result; or report outcome "failed".${
      expected === "pass" && task.tags.includes("RED")
        ? ' It is tagged [RED]: if it has to fail, say expected: "fail".'
        : ""
    }`,
    { verify },
  );
}

function finish({ task, text }: TaskPlace, report: Report): Change {
  requirePassed(task, report);
  const verify = fieldOf(task, "Verify");
  const notes: string[] = [];
  if (verify !== null && !isSameCheck(verify, report.command!)) {
    notes.push(
      `Verify of task ${task.id} names another command (${
        brief(verify, 200)
      }). If it was not run, run it now, and untick the box if it fails.`,
    );
  }
  if (report.exit_code !== 0 && !task.tags.includes("RED")) {
    notes.push(
      `Task ${task.id} is not tagged [RED], and its check failed. If it did not have to, untick the box.`,
    );
  }
  return {
    message: `Task ${task.id} is done`,
    text: ticked(text, task),
    inserted: [],
    state: {},
    section: "Completed",
    line: `- [x] ${task.id} ${task.title}: ${whatShows(report)}`,
    notes,
  };
}

/** Whether the command that ran holds what Verify names, whatever is before and behind it. */
function isSameCheck(verify: string, command: string): boolean {
  const plain = (text: string) => text.replace(/\s+/g, " ").trim();
  const quoted = [...verify.matchAll(/`([^`]+)`/g)].map((match) => plain(match[1]!));
  const wanted = quoted.length > 0 ? quoted : [plain(verify)];
  const ran = plain(command);
  return wanted.some((one) => ran.includes(one));
}

function fail(place: TaskPlace, report: Report): Change {
  const { spec, state, list, task, text } = place;
  const error = whatShows(report);
  if (error === "") {
    throw invalid(
      `Task ${task.id}: "failed" needs to say what failed`,
      "Call ralph_task_result with command and exit_code, or with evidence.",
    );
  }
  const map = objectField(state, "fixTaskMap");
  const known = ownRecord(map, task.id);
  const attempts = asCounter(known["attempts"]) ?? 0;
  const earlier = Array.isArray(known["fixTaskIds"]) ? known["fixTaskIds"] : [];
  const most = asCounter(state.raw["maxFixTasksPerOriginal"]) ?? MAX_FIXES;
  const deepest = asCounter(state.raw["maxFixTaskDepth"]) ?? MAX_DEPTH;
  const line = `- ${task.id} failed: ${error}`;
  if (attempts >= most || fixDepth(task) >= deepest) {
    return {
      message: `Task ${task.id} failed again, and gets no further fix task`,
      text,
      inserted: [],
      state: {
        fixTaskMap: { ...map, [task.id]: { ...known, lastError: error } },
        ...blockedBy(task, `it failed after ${attempts} fix tasks: ${brief(error, 150)}`),
      },
      section: "Blockers",
      line,
      notes: [`At most ${most} fix tasks are made for a task, ${deepest} deep.`],
    };
  }
  const id = fixNumber(task, list.tasks);
  const lines = [
    `- [ ] ${id} [FIX ${task.id}] Mend what made ${task.id} fail: ${brief(error, 120)}`,
    "  - **Do**:",
    `    1. Find the cause of: ${brief(error, 400)}`,
    "    2. Remove the cause, not the symptom",
    `  - **Files**: ${brief(fieldOf(task, "Files") ?? `the files of ${task.id}`, 400)}`,
    `  - **Done when**: ${task.id} can be verified`,
    `  - **Verify**: ${brief(fieldOf(task, "Verify") ?? "the project's own checks", 400)}`,
    `  - **Commit**: \`fix(${shownName(spec)}): mend ${task.id}\``,
  ];
  return {
    message: `Task ${task.id} failed; ${id} was added before it`,
    text: withBlock(text, task, "before", lines),
    inserted: [id],
    state: {
      fixTaskMap: {
        ...map,
        [task.id]: {
          ...known,
          attempts: attempts + 1,
          fixTaskIds: [...earlier, id],
          lastError: error,
        },
      },
    },
    section: "Learnings",
    line,
    notes: [],
  };
}

function split({ state, list, task, text }: TaskPlace, report: Report): Change {
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

function block({ task, text }: TaskPlace, report: Report): Change {
  const reason = whatShows(report);
  if (reason === "") {
    throw invalid(
      `Task ${task.id}: "blocked" needs to say what has to be decided`,
      "Call ralph_task_result with the question for the user as evidence.",
    );
  }
  return {
    message: `Task ${task.id} waits for the user`,
    text,
    inserted: [],
    state: blockedBy(task, reason),
    section: "Blockers",
    line: `- ${task.id} ${task.title}: ${reason}`,
    notes: [],
  };
}

function blockedBy(task: Task, reason: string): Record<string, unknown> {
  return { blockedTask: { key: task.key, text: textOf(task), reason } };
}

/** What a report gives as its proof or its reason, on one line. */
function whatShows({ command, exit_code: code, evidence }: Report): string {
  const ran = command === undefined || command.trim() === ""
    ? ""
    : `${brief(command, 200)}${code === undefined ? "" : ` (exit code ${code})`}`;
  const said = evidence === undefined ? "" : brief(evidence);
  return [ran, said].filter((part) => part !== "").join(": ");
}

function ownRecord(
  map: Readonly<Record<string, unknown>>,
  key: string,
): Readonly<Record<string, unknown>> {
  const value = Object.hasOwn(map, key) ? map[key] : undefined;
  return isObject(value) ? value : {};
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
      const lacking = FIELDS.filter((field) => !fieldOf(task, field));
      return lacking.length === 0 ? [] : [`${task.id} lacks ${lacking.join(", ")}`];
    }),
  ].map((problem) => brief(problem, 200));
  if (problems.length > 0) throw invalid(`The new tasks are incomplete: ${few(problems)}`, example);
  return tasks;
}
