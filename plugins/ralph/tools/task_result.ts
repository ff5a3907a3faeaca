/**
 * `ralph_task_result`: records the outcome that the caller reports. The server runs no check: it
 * ticks the box if the reported one ended as expected, and adds the tasks of a fix or a split.
 */

import * as z from "zod";
import { RefraktError } from "../../../src/errors.ts";
import type { Tool } from "../../../src/plugin/tool.ts";
import { findTask, MAX_BATCH, type PlannedSpec, requireTasks, wasHandedOut } from "../execution.ts";
import { callOf, missing } from "../failures.ts";
import { nextStep } from "../next.ts";
import { type Change, OUTCOMES } from "../outcomes.ts";
import { withLine } from "../progress.ts";
import { DONE, REPORT, REPORTED, type TaskReport } from "../reported_check.ts";
import { save } from "../save.ts";
import { changeSpec } from "../spec.ts";
import type { Task } from "../tasks.ts";
import { type Answer, ralphTool, specName } from "../tool.ts";

const ResultInput = z.strictObject({
  task: z.string().optional().describe("As 1.2"),
  ...REPORT.partial().shape,
  done: z.array(DONE).min(1).max(MAX_BATCH).optional().describe("Several tasks, all or none"),
  spec_name: specName,
});

export const taskResultTool: Tool = ralphTool({
  name: "task_result",
  title: "Record a task's result",
  description:
    "Records the outcome of a task as reported: the server runs nothing. Ticks it if the " +
    "check ended as expected.",
  input: ResultInput,
  output: {
    ticked: z.boolean(),
    reported: REPORTED.nullable()
      .describe("The check as reported, of one task; as_planned: the command of Verify"),
    inserted: z.array(z.unknown()),
    complete: z.boolean(),
    done: z.int(),
    total: z.int(),
  },
  run: (input, context) => {
    const reports = reportsIn(input);
    return changeSpec(context, input.spec_name, (spec) => recordAll(requireTasks(spec), reports));
  },
});

type NamedReport = TaskReport & { readonly task: string };

/** @throws {RefraktError} `INVALID_ARGS` for both forms, or half of one. */
function reportsIn(
  { done, spec_name: _name, ...single }: z.output<typeof ResultInput>,
): NamedReport[] {
  const { task, outcome } = single;
  if (done !== undefined && Object.keys(single).length === 0) {
    return done.map((report) => ({ ...report, outcome: "done" }));
  }
  if (done === undefined && task !== undefined && outcome !== undefined) {
    return [{ ...single, task, outcome }];
  }
  throw new RefraktError("INVALID_ARGS", 'Pass either "task" and "outcome", or "done"', {
    hint: "done: [{ task, command, exit_code, evidence }] is for several tasks that are done.",
  });
}

/** Records all reports, or none of them. */
function recordAll(spec: PlannedSpec, reports: readonly NamedReport[]): Answer {
  const tasks = reports.map(({ task }) => findTask(spec.list, task, "ralph_task_result"));
  const changes = reports.map((report, at) => changeOf(spec, tasks[at]!, report));
  const recorded = changes.filter(({ line }) => line !== "");
  if (recorded.length === 0) return answerWith(spec, tasks, changes);
  const saved = save(spec, {
    tasks: recorded.reduce((text, { edit }) => edit?.(text) ?? text, spec.files["tasks.md"].text!),
    progress: (text) =>
      recorded.reduce((text, { section, line }) => withLine(text, section, line), text),
    state: { ...recorded[0]!.state, phase: "execution" },
  });
  return answerWith(requireTasks(saved), tasks, changes);
}

function changeOf(spec: PlannedSpec, task: Task, report: TaskReport): Change {
  const { outcome } = report;
  if (task.done) {
    // A ticked box stays ticked, whatever the report says.
    const note = `The outcome "${outcome}" was not recorded; untick the box first.`;
    const message = `Task ${task.id} was already ticked`;
    return { message, section: "Completed", line: "", warnings: outcome === "done" ? [] : [note] };
  }
  if (wasHandedOut(spec.state, task)) return OUTCOMES[outcome](task, report, spec);
  const call = callOf("ralph_implement", { ...spec.args, task: task.id });
  throw missing(
    `Task ${task.id} was not handed out, so it has no result yet`,
    `Call ${call} to get it, or without task for the next one.`,
  );
}

function answerWith(
  spec: PlannedSpec,
  reported: readonly Task[],
  changes: readonly Change[],
): Answer {
  const { done, tasks } = spec.list;
  const total = tasks.length;
  const isTicked = ({ key }: Task) => tasks.some((task) => task.key === key && task.done);
  return {
    spec,
    message: changes.map(({ message }) => message).join(". "),
    facts: [`Tasks: ${done}/${total}`],
    step: nextStep(spec),
    warnings: changes.flatMap(({ warnings = [] }) => warnings),
    data: {
      ticked: reported.every(isTicked),
      reported: changes.length === 1 ? changes[0]!.reported ?? null : null,
      inserted: changes.flatMap(({ inserted = [] }) => inserted),
      done,
      total,
      complete: done === total,
    },
  };
}
