/**
 * `ralph_implement`: hands out the next task, counts the attempts, and says when
 * all of them are done.
 *
 * @module
 */

import { z } from "zod";
import { didYouMean } from "../../../src/errors.ts";
import type { CliPluginCommand } from "../../../src/tools/plugin.ts";
import { type Choice, choose, handOut, tickWarning } from "../execution.ts";
import { brief, callOf, count, few, invalid, missing, phaseMismatch } from "../failures.ts";
import { shownName } from "../names.ts";
import { nextStep } from "../next.ts";
import { documentOf, isBefore } from "../phases.ts";
import { type Spec, specPath } from "../specs.ts";
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
import { save } from "../save.ts";
import { changeSpec, requireTasks, type SoundView } from "../view.ts";

const Input = z.strictObject({
  max_iterations: z.int().min(1).max(100).default(5).describe("Hand-outs before a task is blocked"),
  spec_name: specName,
  task: z.string().optional().describe("Default: the next"),
});

type ImplementInput = z.output<typeof Input>;

/** The tool. */
export const implement: CliPluginCommand = ralphTool({
  name: "implement",
  title: "Next task",
  description: "Hands out the next open task with its instructions; says when all are done.",
  input: Input,
  output: { complete: "boolean", done: "integer", total: "integer", task: "object?" },
  instructs: true,
  run: (input, { cwd, signal, log }) =>
    changeSpec(cwd, input.spec_name, signal, checkPhase, (view) => {
      const result = work(view, input);
      log("info", "Task handed out", { spec: view.spec.name });
      return result;
    }),
});

/** Tasks can be handed out and reported once the plan is there. */
export function checkPhase(view: SoundView): void {
  const { state, spec } = view;
  if (isBefore(state.phase, "tasks")) throw phaseMismatch(spec.name, state.phase, "execution");
  requireTasks(view);
}

function work(view: SoundView, input: ImplementInput): Answer {
  const { spec, state } = view;
  const list = requireTasks(view);
  const wanted = input.task === undefined ? undefined : openTask(list, input.task);
  const choice = choose(list, state, input.max_iterations, wanted);
  const notes = [...list.warnings];
  if (view.tasksFile.problem !== null) notes.push(view.tasksFile.problem.message);
  const suspicious = tickWarning(state, list);
  if (suspicious !== null) notes.push(suspicious);
  switch (choice.kind) {
    case "strays":
      throw missing(strayAdvice(choice.strays), "Then call ralph_implement again.", {
        lines: choice.strays.slice(0, 50).map(({ line }) => line + 1),
      });
    case "exhausted":
      throw exhausted(spec, choice, learnt(view));
    case "blocked":
      if (state.blocked?.key !== choice.blocked.key || state.blocked.text !== choice.blocked.text) {
        save(view, { state: { blockedTask: choice.blocked } });
      }
      throw blocked(spec, choice, learnt(view));
    case "complete":
      return complete(save(view, allTicked(view, list)), notes);
    case "task": {
      const { task } = choice;
      if (choice.note !== undefined) notes.push(choice.note);
      const { changes, attempt } = handOut(state, list, task);
      const after = save(view, {
        state: { ...changes, maxTaskIterations: input.max_iterations },
      });
      return {
        spec: after.spec,
        body: taskInstructions(after, task, {
          attempt,
          maxIterations: input.max_iterations,
        }),
        step: {
          status: "active",
          next: "ralph_task_result",
          nextArgs: { ...view.args, task: task.id },
          todo: `do task ${task.id}, then call ${
            callOf("ralph_task_result", { ...view.args, task: task.id })
          } with its outcome`,
        },
        warnings: notes,
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

function allTicked(view: SoundView, list: TaskList) {
  const { state } = view;
  return {
    state: {
      phase: "execution",
      totalTasks: list.tasks.length,
      taskIndex: list.tasks.length,
      ...(state.awaitingApproval ? { awaitingApproval: false, approvalFor: undefined } : {}),
    },
  };
}

function complete(view: SoundView, notes: readonly string[]): Answer {
  const list = requireTasks(view);
  const step = nextStep(view);
  const done = doneCount(list);
  return {
    spec: view.spec,
    message: step.status === "complete"
      ? `All ${done} tasks are complete, and so is the spec`
      : `All ${done} tasks are complete`,
    step,
    warnings: notes,
    data: {
      complete: true,
      done,
      total: list.tasks.length,
      task: null,
    },
  };
}

function openTask(list: TaskList, wanted: string): Task {
  const named = list.tasks.filter((task) => task.id === wanted || task.key === wanted);
  const found = named.find((task) => !task.done);
  if (found !== undefined) return found;
  if (named.length > 0) {
    throw invalid(
      `Task ${shownName(wanted)} is already ticked`,
      "Call ralph_implement without task for the next open one; untick its box to do it again.",
    );
  }
  throw noTask(list, wanted, "ralph_implement");
}

/** There is no task of this number. */
export function noTask(list: TaskList, wanted: string, tool: string): Error {
  const ids = openTasks(list).map((task) => task.id);
  return invalid(
    `There is no task '${shownName(wanted)}'`,
    `${didYouMean(wanted, ids)} Open tasks: ${few(ids) || "none"}. Call ${tool} with one of them.`
      .trim(),
  );
}

/** The last lines of what was learnt. */
function learnt({ progress }: SoundView): string[] {
  return (progress?.learnings ?? []).slice(-5).map((line) => brief(line, 200));
}

function exhausted(
  spec: Spec,
  { task, limit }: Extract<Choice, { kind: "exhausted" }>,
  learnings: readonly string[],
): Error {
  return missing(
    `The spec is blocked: ${
      count(limit, "hand-out")
    } were used, and task ${task.id} is still open.${shownLearnings(learnings)}`,
    `Ask the user how to go on. ${
      callOf("ralph_start", { name: spec.name, resume: true })
    } begins a new count; then call ralph_implement.`,
    { blocked: true, task: { id: task.id, title: brief(task.title) }, limit },
  );
}

/** Why nothing is handed out, with what was learnt and the ways out. */
function blocked(
  spec: Spec,
  { task, blocked }: Extract<Choice, { kind: "blocked" }>,
  learnings: readonly string[],
): Error {
  const larger = blocked.attempts === undefined
    ? ""
    : "mend the cause and call ralph_implement with a larger max_iterations; or ";
  return missing(
    `Task ${task.id} is blocked: ${blocked.reason} (${brief(task.title, 200)}).${
      shownLearnings(learnings)
    }`,
    `Tell the user, who decides: ${larger}rewrite or split task ${task.id} in ${
      specPath(spec, documentOf("tasks"))
    }; tick its box to skip it; or, when the question is answered, call ${
      callOf("ralph_start", { name: spec.name, resume: true })
    }. Then call ralph_implement.`,
    { blocked: true, task: { id: task.id, title: brief(task.title) }, learnings },
  );
}

function shownLearnings(lines: readonly string[]): string {
  return lines.length === 0 ? "" : ` Last learnings: ${lines.join(" / ")}`;
}
