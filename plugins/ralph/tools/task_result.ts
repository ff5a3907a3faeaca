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
import { lastHandOut } from "../execution.ts";
import { invalid } from "../failures.ts";
import { readText, writeText } from "../files.ts";
import { withLock } from "../lock.ts";
import { shownName } from "../names.ts";
import { type Change, changeFor } from "../outcomes.ts";
import { callOf, readGoal } from "../overview.ts";
import { ARTIFACTS } from "../phases.ts";
import { newProgress, readProgress, withLine, withStatus, writeProgress } from "../progress.ts";
import { follow, specName } from "../schemas.ts";
import { resolveSpec, type Spec, specFile, specPath } from "../specs.ts";
import { requireLocked, requireState, writeState } from "../state.ts";
import { statusOf } from "../status_block.ts";
import { doneCount, few, openTasks, parseTasks, type Task, type TaskList } from "../tasks.ts";
import { requireTasks } from "../prerequisites.ts";

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
