/**
 * What the outcome of a task changes in the plan, the diary and the state.
 *
 * @module
 */

import { contradiction } from "./claims.ts";
import { invalid } from "./failures.ts";
import { shownName } from "./names.ts";
import { oneLine } from "./progress.ts";
import type { Spec } from "./specs.ts";
import { asCounter, objectField, type State } from "./state.ts";
import { fixDepth, fixNumber, ticked, withBlock } from "./task_edit.ts";
import { few, fieldOf, parseTasks, type Task, type TaskList } from "./tasks.ts";

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
  /** What shows it. */
  readonly evidence: string;
  /** What went wrong. */
  readonly error?: string | undefined;
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
  /** The section of the diary that gets a line. */
  readonly section: "Completed" | "Learnings" | "Blockers";
  /** The line. */
  readonly line: string;
  /** What the caller should know. */
  readonly notes: readonly string[];
}

/**
 * Works out what a report changes; nothing is written.
 *
 * @param spec The spec.
 * @param state Its state.
 * @param list Its tasks, read from `text`.
 * @param task The task, which is open.
 * @param text The text of `tasks.md`.
 * @param report What was reported.
 * @throws {RefraktError} `VALIDATION_ERROR` for a claim that contradicts itself and for a bad split.
 */
export function changeFor(
  spec: Spec,
  state: State,
  list: TaskList,
  task: Task,
  text: string,
  report: Report,
): Change {
  switch (report.outcome) {
    case "done":
      return finish(task, text, report);
    case "failed":
      return fail(spec, state, list, task, text, report);
    case "split":
      return split(state, list, task, text, report);
    case "blocked":
      return {
        message: `Task ${task.id} is noted as blocked`,
        text,
        inserted: [],
        state: {},
        section: "Blockers",
        line: `- ${task.id} ${task.title}: ${brief(report.error ?? report.evidence)}`,
        notes: ["The task stays open. Ask the user how to go on."],
      };
  }
}

function finish(task: Task, text: string, report: Report): Change {
  const problem = contradiction(task, report.evidence);
  if (problem !== null) {
    throw invalid(
      `Task ${task.id} cannot be done: ${problem}`,
      `Run the task's Verify and call ralph_task_result with its result; or report outcome "failed" or "blocked".`,
      { verify: fieldOf(task, "Verify") },
    );
  }
  return {
    message: `Task ${task.id} is done`,
    text: ticked(text, task),
    inserted: [],
    state: {},
    section: "Completed",
    line: `- [x] ${task.id} ${task.title}: ${brief(report.evidence)}`,
    notes: [],
  };
}

function fail(
  spec: Spec,
  state: State,
  list: TaskList,
  task: Task,
  text: string,
  report: Report,
): Change {
  const error = report.error ?? report.evidence;
  const map = objectField(state, "fixTaskMap");
  const known = (Object.hasOwn(map, task.id) ? map[task.id] : {}) as Record<string, unknown>;
  const attempts = asCounter(known?.["attempts"]) ?? 0;
  const earlier = Array.isArray(known?.["fixTaskIds"]) ? known["fixTaskIds"] as unknown[] : [];
  const most = asCounter(state.raw["maxFixTasksPerOriginal"]) ?? MAX_FIXES;
  const deepest = asCounter(state.raw["maxFixTaskDepth"]) ?? MAX_DEPTH;
  const line = `- ${task.id} failed: ${brief(error)}`;
  if (attempts >= most || fixDepth(task) >= deepest) {
    return {
      message: `Task ${task.id} failed again, and gets no further fix task`,
      text,
      inserted: [],
      state: { fixTaskMap: { ...map, [task.id]: { ...known, lastError: brief(error) } } },
      section: "Blockers",
      line,
      notes: [
        `Task ${task.id} has had ${attempts} fix tasks (at most ${most}, ${deepest} deep). Ask the user how to go on.`,
      ],
    };
  }
  const id = fixNumber(task, list.tasks);
  const block = [
    `- [ ] ${id} [FIX ${task.id}] Mend what made ${task.id} fail: ${brief(error, 120)}`,
    "  - **Do**:",
    `    1. Find the cause of: ${brief(error, 400)}`,
    "    2. Remove the cause, not the symptom",
    `  - **Files**: ${brief(fieldOf(task, "Files") ?? `the files of ${task.id}`, 400)}`,
    `  - **Done when**: ${task.id} can be verified`,
    `  - **Verify**: ${brief(fieldOf(task, "Verify") ?? "the project's own checks", 400)}`,
    `  - **Commit**: \`fix(${shownName(spec.name)}): mend ${task.id}\``,
  ];
  return {
    message: `Task ${task.id} failed; ${id} was added before it`,
    text: withBlock(text, task, "before", block),
    inserted: [id],
    state: {
      fixTaskMap: {
        ...map,
        [task.id]: {
          ...known,
          attempts: attempts + 1,
          fixTaskIds: [...earlier, id],
          lastError: brief(error),
        },
      },
    },
    section: "Learnings",
    line,
    notes: [],
  };
}

function split(
  state: State,
  list: TaskList,
  task: Task,
  text: string,
  report: Report,
): Change {
  const map = objectField(state, "modificationMap");
  const known = (Object.hasOwn(map, task.id) ? map[task.id] : {}) as Record<string, unknown>;
  const count = asCounter(known?.["count"]) ?? 0;
  const most = asCounter(state.raw["maxModificationsPerTask"]) ?? MAX_MODIFICATIONS;
  if (count >= most) {
    throw invalid(
      `Task ${task.id} was changed ${count} times already`,
      'Ask the user, or call ralph_task_result with outcome "blocked".',
    );
  }
  const tasks = checkSplit(list, report.tasks);
  const ids = tasks.map((other) => other.id);
  const earlier = Array.isArray(known?.["modifications"])
    ? known["modifications"] as unknown[]
    : [];
  const block = tasks.flatMap((other, index) => [
    ...(index === 0 ? [] : [""]),
    ...other.block.split("\n"),
  ]);
  return {
    message: `Task ${task.id} was split into ${few(ids)}`,
    text: ticked(withBlock(text, task, "behind", block), task),
    inserted: ids,
    state: {
      modificationMap: {
        ...map,
        [task.id]: {
          ...known,
          count: count + 1,
          modifications: [
            ...earlier,
            { id: ids.join(", "), type: "SPLIT_TASK", reason: brief(report.evidence) },
          ],
        },
      },
    },
    section: "Completed",
    line: `- [x] ${task.id} ${task.title}: split into ${few(ids)}`,
    notes: [],
  };
}

function checkSplit(list: TaskList, text: string | undefined): readonly Task[] {
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
  ];
  if (problems.length > 0) throw invalid(`The new tasks are incomplete: ${few(problems)}`, example);
  return tasks;
}

function brief(text: string, most = 300): string {
  const line = oneLine(text);
  return line.length > most ? `${line.slice(0, most)} …` : line;
}
