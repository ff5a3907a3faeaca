/**
 * `ralph_task_result`: records the outcome that the caller reports. The server runs no check: it
 * ticks the box if the reported one ended as expected, and adds the tasks of a fix or a split.
 */

import * as z from "zod";
import type { Tool } from "../../../src/plugin/tool.ts";
import { findTask, type PlannedSpec, requireTasks, wasHandedOut } from "../execution.ts";
import { callOf, missing } from "../failures.ts";
import { nextStep } from "../next.ts";
import { type Change, OUTCOMES } from "../outcomes.ts";
import { withLine } from "../progress.ts";
import { REPORT, type Report, REPORTED, reportedCheck } from "../reported_check.ts";
import { save } from "../save.ts";
import { changeSpec } from "../spec.ts";
import type { Task } from "../tasks.ts";
import { type Answer, ralphTool, specName } from "../tool.ts";

export const taskResult: Tool = ralphTool({
  name: "task_result",
  title: "Record a task's result",
  description:
    "Records the outcome of a task as reported: the server runs nothing. Ticks it if the " +
    "check ended as expected.",
  input: z.strictObject({
    task: z.string().describe("As 1.2"),
    ...REPORT.shape,
    spec_name: specName,
  }),
  output: {
    ticked: z.boolean(),
    reported: REPORTED.nullable()
      .describe("The check as reported; as_planned: the command of Verify"),
    inserted: z.array(z.unknown()),
    complete: z.boolean(),
    done: z.int(),
    total: z.int(),
  },
  run: (input, context) =>
    changeSpec(context, input.spec_name, (spec) => {
      const planned = requireTasks(spec);
      return applyReport(planned, findTask(planned.list, input.task, "ralph_task_result"), input);
    }),
});

function applyReport(spec: PlannedSpec, task: Task, report: Report): Answer {
  const { state, args } = spec;
  const { outcome } = report;
  const isDone = outcome === "done";
  if (task.done) {
    // A ticked box stays ticked, whatever the report says.
    if (isDone && report.exit_code !== undefined) reportedCheck(task, report);
    const note = `The outcome "${outcome}" was not recorded; untick the box first.`;
    const message = `Task ${task.id} was already ticked`;
    return answerWith(spec, task, { message, warnings: isDone ? [] : [note] });
  }
  if (!wasHandedOut(state, task)) {
    const call = callOf("ralph_implement", { ...args, task: task.id });
    throw missing(
      `Task ${task.id} was not handed out, so it has no result yet`,
      `Call ${call} to get it, or without task for the next one.`,
    );
  }
  const change = OUTCOMES[outcome](task, report, spec);
  const last = state.handedOut;
  // Ticks of the server do not count as unexpected ones.
  const ticks = Number(isDone || outcome === "split");
  const saved = save(spec, {
    ...(change.tasks === undefined ? {} : { tasks: change.tasks }),
    progress: (text) => withLine(text, change.section, change.line),
    state: {
      ...change.state,
      phase: "execution",
      handedOut: last && { ...last, done: last.done + ticks },
    },
  });
  return answerWith(requireTasks(saved), task, change);
}

function answerWith(
  spec: PlannedSpec,
  task: Task,
  { message, inserted = [], reported = null, warnings = [] }: Omit<Change, "section" | "line">,
): Answer {
  const { done, tasks } = spec.list;
  const total = tasks.length;
  const ticked = tasks.some((other) => other.key === task.key && other.done);
  return {
    spec,
    message,
    facts: [`Tasks: ${done}/${total}`],
    step: nextStep(spec),
    warnings,
    data: { ticked, reported, inserted: [...inserted], done, total, complete: done === total },
  };
}
