/**
 * `ralph_implement`: hands out the next task, counts the attempts, and says when
 * all of them are done.
 *
 * @module
 */

import { z } from "zod";
import { didYouMean } from "../../../src/errors.ts";
import type { CliPluginCommand, McpHandlerContext } from "../../../src/surface/plugin.ts";
import { type TextResult, withText } from "../../../src/surface/result.ts";
import { attemptsOf, type Choice, choose, MAX_GROUP, tickWarning } from "../execution.ts";
import { invalid, missing } from "../failures.ts";
import { taskInstructions, type TaskRow } from "../task_instructions.ts";
import { withLock } from "../lock.ts";
import { shownName } from "../names.ts";
import { readGoal } from "../overview.ts";
import { logName, mergeGroup, removeLogs } from "../parallel.ts";
import { ARTIFACTS } from "../phases.ts";
import { newProgress, readProgress, sectionOf, withStatus, writeProgress } from "../progress.ts";
import { contextMode, follow, phaseName, specName } from "../schemas.ts";
import { resolveSpec, type Spec, specPath } from "../specs.ts";
import { requireTasks } from "../prerequisites.ts";
import { requireLocked, requireState, type State, writeState } from "../state.ts";
import { statusOf } from "../status_block.ts";
import { doneCount, few, isVerification, type Task, type TaskList } from "../tasks.ts";

const Input = z.strictObject({
  max_iterations: z.number().int().min(1).max(100).default(5)
    .describe("How often one task is handed out before it counts as blocked"),
  spec_name: specName,
  task: z.string().min(1).optional().describe("An open task by its number, instead of the next"),
  max_parallel: z.number().int().min(1).max(MAX_GROUP).default(1)
    .describe("How many neighbouring [P] tasks to hand out together"),
  context: contextMode,
});

const TaskOutput = z.object({
  id: z.string(),
  title: z.string(),
  index: z.number(),
  total: z.number(),
  attempt: z.number(),
});

const Output = z.object({
  name: z.string(),
  phase: phaseName,
  complete: z.boolean(),
  task: TaskOutput.nullable(),
  tasks: z.array(z.object({})),
  instructions: z.string(),
  ...follow,
});

type ImplementInput = z.output<typeof Input>;

/** The tool. */
export const implement: CliPluginCommand = {
  name: "implement",
  toolName: "ralph_implement",
  title: "Implement the next task",
  description:
    "Hands out the next open task of tasks.md with its instructions; says when all tasks are done.",
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  inputSchema: Input,
  outputSchema: Output,
  mcpHandler: run,
};

async function run(input: ImplementInput, context: McpHandlerContext): Promise<TextResult> {
  const { cwd } = context;
  const spec = resolveSpec(cwd, input.spec_name);
  // What fails anyway fails alike where nothing can be locked.
  requireTasks(spec, await requireState(spec, context.signal));
  return await withLock(cwd, context.signal, () => {
    const state = requireLocked(spec);
    const { list, cut } = requireTasks(spec, state);
    const result = handOut(spec, state, list, input);
    if (cut) result.notes.push(`${specPath(spec, ARTIFACTS.tasks)} is too large to read whole.`);
    context.log("info", "Task handed out", { spec: spec.name, task: result.rows[0]?.id ?? null });
    return answer(spec, list, input, result);
  });
}

interface HandOutResult {
  readonly choice: Choice;
  readonly state: State;
  readonly rows: (TaskRow & { index: number; total: number; verify: boolean; title: string })[];
  readonly progress: string;
  readonly notes: string[];
}

function handOut(
  spec: Spec,
  state: State,
  list: TaskList,
  input: ImplementInput,
): HandOutResult {
  const total = list.tasks.length;
  const done = doneCount(list);
  const notes = [...list.warnings];
  const suspicious = tickWarning(state, list);
  if (suspicious !== null) notes.push(suspicious);
  const choice = choose(list, state, {
    maxIterations: input.max_iterations,
    maxParallel: input.max_parallel,
    wanted: input.task === undefined ? undefined : wantedTask(list, input.task),
  });
  const found = readProgress(spec);
  const base = found ??
    newProgress(spec.name, readGoal(spec, state), statusOf("execution", done, total, ""));
  const merge = mergeGroup(spec, state, list, base);
  if (merge !== null) notes.push(...merge.notes);
  if (choice.kind === "blocked" || choice.kind === "exhausted") {
    if (merge !== null) {
      writeProgress(spec, merge.progress);
      writeState(spec, state.raw, merge.changes);
      removeLogs(spec, merge.files);
    }
    throw blocked(spec, choice, input, sectionOf(merge?.progress ?? base, "Learnings"));
  }
  const tasks = choice.kind === "tasks" ? choice.tasks : [];
  if (choice.kind === "tasks") notes.push(...choice.notes);
  if (choice.kind === "complete" && list.unnumbered.open > 0) {
    notes.push(
      `${list.unnumbered.open} open boxes without a task number are left in ${
        specPath(spec, ARTIFACTS.tasks)
      }; they are no tasks.`,
    );
  }
  const attempts = attemptsOf(state, list);
  for (const task of tasks) attempts.set(task.key, (attempts.get(task.key) ?? 0) + 1);
  const parallel = tasks.length > 1;
  const rows = tasks.map((task) => ({
    id: task.id,
    title: task.title.slice(0, 300),
    index: task.index,
    total,
    attempt: attempts.get(task.key) ?? 1,
    verify: isVerification(task),
    ...(parallel ? { log: specPath(spec, logName(task)) } : {}),
  }));
  const first = tasks[0];
  const objective = first === undefined
    ? "All tasks are ticked"
    : `Task ${few(tasks.map((task) => task.id))}: ${first.title}`;
  const progress = withStatus(
    merge?.progress ?? base,
    statusOf("execution", done, total, objective),
  );
  if (progress !== found) writeProgress(spec, progress);
  const after = writeState(spec, state.raw, {
    ...(merge?.changes ?? {}),
    phase: "execution",
    awaitingApproval: false,
    totalTasks: total,
    taskIndex: first?.index ?? total,
    maxTaskIterations: input.max_iterations,
    taskAttempts: Object.fromEntries(attempts),
    ...(first === undefined ? {} : {
      completedAt: undefined,
      openAtCompletion: undefined,
      taskIteration: attempts.get(first.key),
      globalIteration: (state.counters.globalIteration ?? 0) + 1,
      handedOut: { keys: tasks.map((task) => task.key), done },
    }),
    ...(parallel
      ? {
        parallelGroup: {
          startIndex: tasks[0]!.index,
          endIndex: tasks.at(-1)!.index,
          taskIndices: tasks.map((task) => task.index),
        },
      }
      : {}),
  });
  if (merge !== null) removeLogs(spec, merge.files);
  return { choice, state: after, rows, progress, notes };
}

function wantedTask(list: TaskList, wanted: string): Task {
  const named = list.tasks.filter((task) => task.id === wanted || task.key === wanted);
  const open = named.find((task) => !task.done);
  if (open !== undefined) return open;
  if (named.length > 0) {
    throw invalid(
      `Task ${shownName(wanted)} is already ticked`,
      "Call ralph_implement without task for the next open one; untick its box to do it again.",
    );
  }
  const ids = list.tasks.filter((task) => !task.done).map((task) => task.id);
  throw invalid(
    `There is no task '${shownName(wanted)}'`,
    `${didYouMean(wanted, ids)} Open tasks: ${few(ids)}. Call ralph_implement with one of them.`
      .trim(),
  );
}

/** Why nothing is handed out, with what was learnt and the ways out. */
function blocked(
  spec: Spec,
  choice: Extract<Choice, { kind: "blocked" | "exhausted" }>,
  input: ImplementInput,
  learnings: string,
): Error {
  const { task } = choice;
  const path = specPath(spec, ARTIFACTS.tasks);
  const last = learnings.split("\n").filter((line) => line.trim() !== "").slice(-5)
    .map((line) => line.slice(0, 200));
  const learnt = last.length === 0 ? "" : ` Last learnings: ${last.join(" / ")}`;
  if (choice.kind === "exhausted") {
    return missing(
      `The spec is blocked: ${choice.limit} hand-outs were used, and task ${task.id} is still open.${learnt}`,
      `Ask the user how to go on. ralph_start { name: ${
        JSON.stringify(spec.name)
      }, resume: true } begins a new count; then call ralph_implement.`,
      { blocked: true, task: { id: task.id, title: task.title }, limit: choice.limit },
    );
  }
  return missing(
    `Task ${task.id} is blocked: it was handed out ${
      times(choice.attempts)
    } (max_iterations ${input.max_iterations}) and is still open: ${
      task.title.slice(0, 200)
    }.${learnt}`,
    `Three ways out: mend the cause and call ralph_implement with a larger max_iterations; rewrite or split task ${task.id} in ${path}; or, if the user wants to skip it, tick its box. Then call ralph_implement.`,
    {
      blocked: true,
      task: { id: task.id, title: task.title, index: task.index },
      attempts: choice.attempts,
      max_iterations: input.max_iterations,
      learnings: last,
    },
  );
}

function times(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}

function answer(
  spec: Spec,
  list: TaskList,
  input: ImplementInput,
  result: HandOutResult,
): TextResult {
  const done = doneCount(list);
  const complete = result.choice.kind === "complete";
  const tasks = result.choice.kind === "tasks" ? result.choice.tasks : [];
  const closed = result.state.completedAt !== null;
  const instructions = complete
    ? closed
      ? `All ${done} tasks are complete, and so is the spec.`
      : `All ${done} tasks are complete. Call ralph_complete_phase with spec_name: ${
        JSON.stringify(spec.name)
      }, phase: "execution" and a summary of what was built and learnt.`
    : taskInstructions(spec, result.state, tasks, {
      rows: result.rows,
      maxIterations: input.max_iterations,
      mode: input.context,
      progress: result.progress,
    });
  const follow = !complete
    ? {
      next: "ralph_implement",
      nextArgs: input.spec_name === undefined ? {} : { spec_name: spec.name },
    }
    : closed
    ? { next: "ralph_start", nextArgs: {} }
    : {
      next: "ralph_complete_phase",
      nextArgs: { spec_name: spec.name, phase: "execution" },
    };
  const text = [
    instructions,
    ...result.notes.map((note) => `Note: ${note}`),
  ].join("\n\n");
  return withText(text, {
    name: spec.name,
    phase: "execution",
    complete,
    done,
    total: list.tasks.length,
    task: result.rows[0] ?? null,
    tasks: result.rows,
    parallel: result.rows.length > 1,
    maxIterations: input.max_iterations,
    instructions,
    ...follow,
    warnings: result.notes,
  });
}
