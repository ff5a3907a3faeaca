/**
 * `ralph_task_result`: the outcome of a task. The server ticks the box where the check
 * ended as it had to, adds fix or split tasks, and notes what waits for the user.
 *
 * @module
 */

import { z } from "zod";
import type { CliPluginCommand } from "../../../src/tools/plugin.ts";
import { lastHandOut, wasHandedOut } from "../execution.ts";
import { callOf, missing } from "../failures.ts";
import { nextStep } from "../next.ts";
import { changeFor, requirePassed } from "../outcomes.ts";
import { withLine } from "../progress.ts";
import { doneCount, openTasks, parseTasks, type Task, type TaskList } from "../tasks.ts";
import { type Answer, ralphTool, specName } from "../tool.ts";
import { save } from "../save.ts";
import { changeSpec, requireTasks, type SoundView } from "../view.ts";
import { checkPhase, noTask } from "./implement.ts";

const Input = z.strictObject({
  task: z.string(),
  outcome: z.enum(["done", "failed", "split", "blocked"])
    .describe("failed adds a fix task, split replaces the task, blocked waits for the user"),
  command: z.string().optional().describe("The check that ran; done needs it"),
  exit_code: z.int().optional().describe("Its exit code; done needs it"),
  expected: z.union([z.enum(["pass", "fail"]), z.number()]).optional()
    .describe("fail, or the code, where a test has to fail first"),
  evidence: z.string().optional().describe("What was seen, or is to be decided"),
  tasks: z.string().max(32_768).optional().describe("For split, as in tasks.md"),
  spec_name: specName,
});

type ResultInput = z.output<typeof Input>;

/** The tool. */
export const taskResult: CliPluginCommand = ralphTool({
  name: "task_result",
  title: "Task result",
  description: "Takes the outcome of a task; ticks it if its check ended as it had to.",
  input: Input,
  output: {
    ticked: "boolean",
    inserted: "array",
    complete: "boolean",
    done: "integer",
    total: "integer",
  },
  run: (input, { cwd, signal, log }) =>
    changeSpec(cwd, input.spec_name, signal, checkPhase, (view) => {
      const result = work(view, input);
      log("info", "Task result", { spec: view.spec.name, outcome: input.outcome });
      return result;
    }),
});

function work(view: SoundView, input: ResultInput): Answer {
  const { spec, state } = view;
  const list = requireTasks(view);
  if (view.tasksFile.problem !== null) throw view.tasksFile.problem;
  const task = findTask(list, input.task);
  if (task.done) return tickedAlready(view, task, input);
  if (!wasHandedOut(state, list, task)) {
    throw missing(
      `Task ${task.id} was not handed out, so no result is taken for it`,
      `Call ${
        callOf("ralph_implement", { ...view.args, task: task.id })
      } for it, or without task for the next one.`,
    );
  }
  const text = view.tasksFile.text!;
  const change = changeFor({ spec: spec.name, state, list, text, task }, input);
  const after = parseTasks(change.text);
  const done = doneCount(after);
  const last = lastHandOut(state);
  const saved = save(view, {
    tasks: change.text,
    progress: (text) => withLine(text, change.section, change.line),
    state: {
      ...change.state,
      phase: "execution",
      totalTasks: after.tasks.length,
      taskIndex: openTasks(after)[0]?.index ?? after.tasks.length,
      // What the server ticked is not to be taken for a tick that nobody asked for.
      ...(last === null
        ? {}
        : { handedOut: { key: last.key, done: last.done + done - doneCount(list) } }),
    },
  });
  return answer(saved, task, change);
}

function findTask(list: TaskList, wanted: string): Task {
  const named = list.tasks.filter((task) => task.id === wanted || task.key === wanted);
  const found = named.find((task) => !task.done) ?? named[0];
  if (found === undefined) throw noTask(list, wanted, "ralph_task_result");
  return found;
}

/** A box that is ticked stays so; a report that says otherwise is told so. */
function tickedAlready(view: SoundView, task: Task, input: ResultInput): Answer {
  if (input.outcome === "done" && input.exit_code !== undefined) requirePassed(task, input);
  return answer(view, task, {
    message: `Task ${task.id} was ticked already`,
    inserted: [],
    notes: input.outcome === "done" ? [] : [
      `The outcome "${input.outcome}" was not recorded; untick the box first.`,
    ],
  });
}

function answer(
  view: SoundView,
  task: Task,
  what: { message: string; inserted: readonly string[]; notes: readonly string[] },
): Answer {
  const list = requireTasks(view);
  const done = doneCount(list);
  const total = list.tasks.length;
  const now = list.tasks.find((other) => other.key === task.key) ?? task;
  return {
    spec: view.spec,
    message: what.message,
    facts: [`Tasks: ${done}/${total}`],
    step: nextStep(view),
    warnings: what.notes,
    data: {
      ticked: now.done,
      inserted: [...what.inserted],
      done,
      total,
      complete: done === total,
    },
  };
}
