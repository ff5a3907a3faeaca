/**
 * What is next: the one answer that every tool and the progress file give.
 *
 * @module
 */

import { callOf } from "./failures.ts";
import { documentOf, type Phase, phaseAfter, PHASES, toolOf } from "./phases.ts";
import { specPath } from "./specs.ts";
import { asCounter, type State, textField } from "./state.ts";
import { digestOf, heldBackBy, openTasks, strayAdvice, type Task, type TaskList } from "./tasks.ts";
import type { View } from "./view.ts";

/** How a spec stands. */
export type SpecStatus =
  | "active"
  | "awaiting-approval"
  | "blocked"
  | "complete"
  | "cancelled"
  | "corrupt"
  | "no-state";

/** Who or what is next. */
export interface Step {
  /** How the spec stands. */
  readonly status: SpecStatus;
  /** The tool to call, or `user` where only the user can decide. */
  readonly next: string;
  /** The tool's arguments. */
  readonly nextArgs: Readonly<Record<string, unknown>>;
  /** The same in a sentence. */
  readonly todo: string;
}

/** Says what is next for a spec, from its state and its documents alone. */
export function nextStep(view: View): Step {
  const { spec, state, list, args } = view;
  const call = (
    tool: string,
    extra: Record<string, unknown>,
    todo: (call: string) => string,
    status: SpecStatus = "active",
  ): Step => {
    const nextArgs = { ...args, ...extra };
    return { status, next: tool, nextArgs, todo: todo(callOf(tool, nextArgs)) };
  };
  const user = (status: SpecStatus, todo: string): Step => ({
    status,
    next: "user",
    nextArgs: {},
    todo,
  });
  const finish = (phase: Phase, before: string) =>
    call("ralph_complete_phase", { phase }, (call) => `${before}call ${call} with a summary`);

  if (state === null) {
    const { kind } = view.noState!;
    const nextArgs = { name: spec.name, resume: true };
    return {
      status: kind === "missing" ? "no-state" : kind,
      next: "ralph_start",
      nextArgs,
      todo: `call ${callOf("ralph_start", nextArgs)} to take the spec up again`,
    };
  }
  if (isComplete(state, list)) {
    return {
      status: "complete",
      next: "ralph_start",
      nextArgs: {},
      todo: "the spec is complete; ralph_start begins another one",
    };
  }
  const revised = state.redoing[0];
  if (revised !== undefined) {
    return finish(revised, `revise ${specPath(spec, documentOf(revised))}, then `);
  }
  if (state.awaitingApproval && !state.quick) {
    const tool = toolOf(state.phase);
    return user(
      "awaiting-approval",
      `the user approves ${approvedPath(view)}; then call ${callOf(tool, args)}`,
    );
  }
  if (state.phase !== "execution") {
    const path = specPath(spec, documentOf(state.phase));
    return view.written.has(state.phase)
      ? finish(state.phase, `${path} is written: `)
      : call(toolOf(state.phase), {}, (call) =>
        `call ${call}, write ${path}, then complete the phase`);
  }
  if (list === null || list.tasks.length === 0) {
    return call("ralph_tasks", { redo: true }, (call) => `call ${call}: there are no tasks`);
  }
  const open = openTasks(list);
  const blocked = blockedTask(state, list);
  if (blocked !== null && blocked === open[0]) {
    return user("blocked", `the user decides about task ${blocked.id} (${state.blocked!.reason})`);
  }
  if (open.length > 0) {
    return call("ralph_implement", {}, (call) => `call ${call} for task ${open[0]!.id}`);
  }
  const strays = heldBackBy(list);
  if (strays.length > 0) {
    return call("ralph_implement", {}, (call) => `${strayAdvice(strays)}; then call ${call}`);
  }
  return finish("execution", "all tasks are ticked: ");
}

/** The task that waits for the user, unless it was ticked or rewritten since. */
export function blockedTask(state: State, list: TaskList): Task | null {
  const { blocked } = state;
  if (blocked === null) return null;
  return openTasks(list).find((task) =>
    task.key === blocked.key && digestOf(task) === blocked.text
  ) ?? null;
}

/** A spec that was completed by force stays complete until its open tasks change. */
function isComplete(state: State, list: TaskList | null): boolean {
  if (state.completedAt === null) return false;
  const then = asCounter(state.raw["openAtCompletion"]) ?? 0;
  return list === null || openTasks(list).length === then;
}

/** The document that waits for approval. */
function approvedPath({ spec, state }: View): string {
  const stored = textField(state, "approvalFor");
  const phase = PHASES.find((phase) => phase === stored) ??
    PHASES.findLast((phase) => phaseAfter(phase) === state!.phase && phase !== "execution") ??
    "research";
  return phase === "execution" ? specPath(spec) : specPath(spec, documentOf(phase));
}
