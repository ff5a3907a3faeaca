/**
 * `ralph_implement`: hands out the next task, counts the attempts, and reports when all tasks
 * are done.
 */

import * as z from "zod";
import { didYouMean } from "../../../src/errors.ts";
import type { Tool } from "../../../src/tools/tool.ts";
import { type Choice, choose, handOut, tickWarning } from "../execution.ts";
import { brief, callOf, few, invalid, missing, phaseMismatch } from "../failures.ts";
import { shownName } from "../names.ts";
import { nextStep, toolStep } from "../next.ts";
import { documentOf, isBefore } from "../phases.ts";
import { save } from "../save.ts";
import { specPath } from "../specs.ts";
import { taskInstructions } from "../task_instructions.ts";
import {
  doneCount,
  isVerification,
  openTasks,
  strayAdvice,
  type Task,
  type TaskList,
} from "../tasks.ts";
import { type Answer, ralphTool, specName } from "../tool.ts";
import { changeSpec, requireTasks, type SoundView } from "../view.ts";

const Input = z.strictObject({
  max_iterations: z.int().min(1).max(100).default(5)
    .describe("How often a task is handed out before it is blocked"),
  spec_name: specName,
  task: z.string().optional().describe("Default: the next open task"),
});

export const implement: Tool = ralphTool({
  name: "implement",
  title: "Get the next task",
  description: "Hands out the next open task with instructions, or reports that all are done.",
  input: Input,
  output: {
    complete: z.boolean(),
    done: z.int(),
    total: z.int(),
    task: z.looseObject({}).nullable(),
  },
  instructs: true,
  run: async (input, { project: { cwd }, signal, log }) => {
    const answer = await changeSpec(cwd, input.spec_name, signal, (view) => {
      const list = tasksToDo(view);
      const wanted = input.task === undefined ? undefined : openTask(list, input.task);
      const choice = choose(list, view.state, input.max_iterations, wanted);
      return answerTo(choice, view, list, input.max_iterations);
    });
    log("info", "Task handed out", { spec: answer.spec?.name });
    return answer;
  },
});

/** @throws {RefraktError} `PHASE_MISMATCH` before the tasks phase, or `MISSING_PREREQUISITES`. */
export function tasksToDo(view: SoundView): TaskList {
  const { state, spec } = view;
  if (isBefore(state.phase, "tasks")) throw phaseMismatch(spec.name, state.phase, "execution");
  return requireTasks(view);
}

function answerTo(choice: Choice, view: SoundView, list: TaskList, maxIterations: number): Answer {
  const { spec, state, args } = view;
  const warnings = [...list.warnings];
  const suspicious = tickWarning(state, list);
  if (suspicious !== null) warnings.push(suspicious);
  switch (choice.kind) {
    case "strays":
      throw missing(strayAdvice(choice.strays), "Then call ralph_implement again.", {
        lines: choice.strays.slice(0, 50).map(({ line }) => line + 1),
      });
    case "exhausted":
      throw exhausted(view, choice);
    case "blocked":
      if (state.blocked?.stamp !== choice.blocked.stamp) {
        save(view, { state: { blockedTask: choice.blocked } });
      }
      throw blocked(view, choice);
    case "complete":
      return allDone(view, list, warnings);
    case "task": {
      const { task, note } = choice;
      if (note !== undefined) warnings.push(note);
      const { changes, attempt } = handOut(state, list, task);
      const after = save(view, { state: { ...changes, maxTaskIterations: maxIterations } });
      const nextArgs = { ...args, task: task.id };
      return {
        spec,
        body: taskInstructions(after, task, attempt, maxIterations),
        step: toolStep(
          "ralph_task_result",
          nextArgs,
          (call) => `do task ${task.id}, then call ${call} with its outcome`,
        ),
        warnings,
        data: {
          complete: false,
          done: doneCount(list),
          total: list.tasks.length,
          task: {
            id: task.id,
            title: brief(task.title),
            index: task.index,
            attempt,
            verify: isVerification(task),
          },
        },
      };
    }
  }
}

function allDone(view: SoundView, list: TaskList, warnings: readonly string[]): Answer {
  const total = list.tasks.length;
  const approval = view.state.awaitingApproval
    ? { awaitingApproval: false, approvalFor: undefined }
    : {};
  const after = save(view, {
    state: { phase: "execution", totalTasks: total, taskIndex: total, ...approval },
  });
  const step = nextStep(after);
  const also = step.status === "complete" ? ", and so is the spec" : "";
  return {
    spec: view.spec,
    message: `All ${total} tasks are complete${also}`,
    step,
    warnings,
    data: { complete: true, done: total, total, task: null },
  };
}

function openTask(list: TaskList, wanted: string): Task {
  const task = findTask(list, wanted, "ralph_implement");
  if (!task.done) return task;
  throw invalid(
    `Task ${shownName(wanted)} is already ticked`,
    "Call ralph_implement without task for the next open one; untick its box to do it again.",
  );
}

/** The task with this id, preferably an open one. `tool` is the one to call again. */
export function findTask(list: TaskList, wanted: string, tool: string): Task {
  const named = list.tasks.filter((task) => task.id === wanted || task.key === wanted);
  const found = named.find((task) => !task.done) ?? named[0];
  if (found !== undefined) return found;
  const ids = openTasks(list).map((task) => task.id);
  throw invalid(
    `There is no task '${shownName(wanted)}'`,
    `${didYouMean(wanted, ids)} Open tasks: ${few(ids) || "none"}. Call ${tool} with one of them.`
      .trim(),
  );
}

/** The last learnings of the progress file, as a sentence. */
function lastLearnings({ progress }: SoundView): string {
  const lines = (progress?.learnings ?? []).slice(-5).map((line) => brief(line, 200));
  return lines.length === 0 ? "" : ` Last learnings: ${lines.join(" / ")}`;
}

function exhausted(view: SoundView, { task, limit }: Extract<Choice, { kind: "exhausted" }>) {
  const resume = callOf("ralph_start", { name: view.spec.name, resume: true });
  return missing(
    `The spec is blocked: ${limit} hand-outs were used, and task ${task.id} is still open.${
      lastLearnings(view)
    }`,
    `Ask the user how to continue. ${resume} resets the count; then call ralph_implement.`,
    { blocked: true, task: { id: task.id, title: brief(task.title) }, limit },
  );
}

function blocked(view: SoundView, { task, blocked }: Extract<Choice, { kind: "blocked" }>) {
  const { spec } = view;
  const resume = callOf("ralph_start", { name: spec.name, resume: true });
  const retry = blocked.attempts === undefined
    ? ""
    : "fix the cause and call ralph_implement with a larger max_iterations; ";
  return missing(
    `Task ${task.id} is blocked: ${blocked.reason} (${brief(task.title, 200)}).${
      lastLearnings(view)
    }`,
    `Tell the user, who decides: ${retry}rewrite or split task ${task.id} in ${
      specPath(spec, documentOf("tasks"))
    }; tick its box to skip it; or answer the question and call ${resume}. Then call ralph_implement.`,
    { blocked: true, task: { id: task.id, title: brief(task.title) } },
  );
}
