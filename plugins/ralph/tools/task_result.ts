/**
 * `ralph_task_result`: the outcome of a task. The server ticks the box, adds fix
 * or split tasks, and refuses claims that contradict themselves.
 *
 * @module
 */

import { z } from "zod";
import { didYouMean } from "../../../src/errors.ts";
import type { CliPluginCommand, McpHandlerContext } from "../../../src/surface/plugin.ts";
import { type TextResult, withText } from "../../../src/surface/result.ts";
import { contradiction } from "../claims.ts";
import { lastHandOut } from "../execution.ts";
import { invalid } from "../failures.ts";
import { readText, writeText } from "../files.ts";
import { withLock } from "../lock.ts";
import { shownName } from "../names.ts";
import { callOf, readGoal } from "../overview.ts";
import { ARTIFACTS } from "../phases.ts";
import {
  newProgress,
  oneLine,
  readProgress,
  withLine,
  withStatus,
  writeProgress,
} from "../progress.ts";
import { follow, specName } from "../schemas.ts";
import { resolveSpec, type Spec, specFile, specPath } from "../specs.ts";
import {
  asCounter,
  objectField,
  requireLocked,
  requireState,
  type State,
  writeState,
} from "../state.ts";
import { statusOf } from "../status_block.ts";
import { fixDepth, fixNumber, ticked, withBlock } from "../task_edit.ts";
import {
  doneCount,
  few,
  fieldOf,
  openTasks,
  parseTasks,
  type Task,
  type TaskList,
} from "../tasks.ts";
import { requireTasks } from "./implement.ts";

/** The fields that a new task must have. */
const FIELDS = ["Do", "Files", "Done when", "Verify", "Commit"];

/** How many tasks a split may make, and how often one task may be split. */
const MAX_SPLIT = 10;
const MAX_MODIFICATIONS = 3;

/** How many fixes a task may have, and how deep fixes of fixes may go. */
const MAX_FIXES = 3;
const MAX_DEPTH = 3;

const Input = z.strictObject({
  task: z.string().min(1).describe("The task's number"),
  outcome: z.enum(["done", "failed", "split", "blocked"])
    .describe(
      "done ticks it; failed adds a fix task before it; split replaces it by tasks; blocked notes why",
    ),
  evidence: z.string().min(1).max(8_192)
    .describe("What shows it: the command that ran and its result"),
  error: z.string().max(8_192).optional().describe("What went wrong, for failed and blocked"),
  tasks: z.string().max(32_768).optional()
    .describe("For split: the new tasks, in the grammar of tasks.md"),
  spec_name: specName,
});

const Output = z.object({
  message: z.string(),
  name: z.string(),
  outcome: z.string(),
  ticked: z.boolean(),
  inserted: z.array(z.string()),
  done: z.number(),
  total: z.number(),
  complete: z.boolean(),
  ...follow,
});

type ResultInput = z.output<typeof Input>;

/** The tool. */
export const taskResult: CliPluginCommand = {
  name: "task_result",
  toolName: "ralph_task_result",
  title: "Report a task's outcome",
  description:
    "Records the outcome of a task: ticks it with evidence, adds a fix task, splits it, or notes what blocks it.",
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  inputSchema: Input,
  outputSchema: Output,
  mcpHandler: run,
};

/** What an outcome changes. */
interface Change {
  readonly message: string;
  readonly text: string;
  readonly inserted: readonly string[];
  readonly state: Readonly<Record<string, unknown>>;
  readonly section: "Completed" | "Learnings" | "Blockers";
  readonly line: string;
  readonly notes: readonly string[];
}

async function run(input: ResultInput, context: McpHandlerContext): Promise<TextResult> {
  const { cwd } = context;
  const spec = resolveSpec(cwd, input.spec_name);
  requireTasks(spec, await requireState(spec, context.signal));
  return await withLock(cwd, context.signal, () => {
    const state = requireLocked(spec);
    const { list, cut } = requireTasks(spec, state);
    if (cut) {
      throw invalid(
        `${specPath(spec, ARTIFACTS.tasks)} is too large to change`,
        "Tick the box in the file, then call ralph_implement.",
      );
    }
    const task = findTask(list, input.task);
    const path = specFile(spec, ARTIFACTS.tasks);
    const before = readText(cwd, path)!;
    if (task.done) {
      return answer(spec, list, task, input, {
        message: `Task ${task.id} was ticked already`,
        inserted: [],
        notes: input.outcome === "done" ? [] : [
          `The outcome "${input.outcome}" was not recorded; untick the box first.`,
        ],
      });
    }
    const change = changeFor(spec, state, list, task, before, input);
    const after = parseTasks(change.text);
    const done = doneCount(after);
    const diary = readProgress(spec) ??
      newProgress(spec.name, readGoal(spec, state), statusOf(state.phase, 0, 0, ""));
    const last = lastHandOut(state);
    writeProgress(
      spec,
      withLine(
        withStatus(diary, statusOf("execution", done, after.tasks.length, change.message)),
        change.section,
        change.line,
      ),
    );
    if (change.text !== before) writeText(cwd, path, change.text);
    writeState(spec, state.raw, {
      ...change.state,
      phase: "execution",
      totalTasks: after.tasks.length,
      taskIndex: openTasks(after)[0]?.index ?? after.tasks.length,
      // What the server ticked is not to be taken for a tick that nobody asked for.
      ...(last === null
        ? {}
        : { handedOut: { keys: last.keys, done: last.done + done - doneCount(list) } }),
    });
    context.log("info", "Task result", {
      spec: spec.name,
      task: task.id,
      outcome: input.outcome,
    });
    return answer(spec, after, task, input, change);
  });
}

function changeFor(
  spec: Spec,
  state: State,
  list: TaskList,
  task: Task,
  text: string,
  input: ResultInput,
): Change {
  switch (input.outcome) {
    case "done":
      return finish(task, text, input);
    case "failed":
      return fail(spec, state, list, task, text, input);
    case "split":
      return split(state, list, task, text, input);
    case "blocked":
      return {
        message: `Task ${task.id} is noted as blocked`,
        text,
        inserted: [],
        state: {},
        section: "Blockers",
        line: `- ${task.id} ${task.title}: ${brief(input.error ?? input.evidence)}`,
        notes: ["The task stays open. Ask the user how to go on."],
      };
  }
}

function finish(task: Task, text: string, input: ResultInput): Change {
  const problem = contradiction(task, input.evidence);
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
    line: `- [x] ${task.id} ${task.title}: ${brief(input.evidence)}`,
    notes: [],
  };
}

function fail(
  spec: Spec,
  state: State,
  list: TaskList,
  task: Task,
  text: string,
  input: ResultInput,
): Change {
  const error = input.error ?? input.evidence;
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
    `  - **Commit**: \`fix(${spec.name}): mend ${task.id}\``,
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
  input: ResultInput,
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
  const tasks = checkSplit(list, input.tasks);
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
            { id: ids.join(", "), type: "SPLIT_TASK", reason: brief(input.evidence) },
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

function findTask(list: TaskList, wanted: string): Task {
  const named = list.tasks.filter((task) => task.id === wanted || task.key === wanted);
  const found = named.find((task) => !task.done) ?? named[0];
  if (found !== undefined) return found;
  const ids = openTasks(list).map((task) => task.id);
  throw invalid(
    `There is no task '${shownName(wanted)}'`,
    `${didYouMean(wanted, ids)} Open tasks: ${
      few(ids) || "none"
    }. Call ralph_task_result with one of them.`
      .trim(),
  );
}

function brief(text: string, most = 300): string {
  const line = oneLine(text);
  return line.length > most ? `${line.slice(0, most)} …` : line;
}

function answer(
  spec: Spec,
  list: TaskList,
  task: Task,
  input: ResultInput,
  change: Pick<Change, "message" | "inserted" | "notes">,
): TextResult {
  const now = list.tasks.find((other) => other.key === task.key) ?? task;
  const done = doneCount(list);
  const total = list.tasks.length;
  const complete = done === total;
  const named = input.spec_name === undefined ? {} : { spec_name: spec.name };
  const after = complete
    ? { next: "ralph_complete_phase", nextArgs: { ...named, phase: "execution" } }
    : { next: "ralph_implement", nextArgs: named };
  const text = [
    `${change.message}.`,
    "",
    `- Tasks: ${done}/${total}`,
    ...change.notes.map((note) => `- Note: ${note}`),
    "",
    `Next: ${callOf(after.next, after.nextArgs)}`,
  ].join("\n");
  return withText(text, {
    message: change.message,
    name: spec.name,
    task: { id: now.id, title: now.title.slice(0, 300), index: now.index, total },
    outcome: input.outcome,
    ticked: now.done,
    inserted: [...change.inserted],
    done,
    total,
    complete,
    ...after,
    warnings: [...change.notes],
  });
}
