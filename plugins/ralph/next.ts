/** The next step of a spec: every tool and the progress file give the same one. */

import { quotedName } from "../../src/plain_text.ts";
import { callOf } from "./failures.ts";
import { specPath } from "./folders.ts";
import { DOCUMENT_PHASES, documentOf, phaseAfter, toolOf } from "./phases.ts";
import type { SoundSpec, Spec } from "./spec.ts";
import type { State } from "./state.ts";
import { stampOf, type Task, type TaskList } from "./tasks.ts";

type SpecStatus =
  | "active"
  | "awaiting-approval"
  | "blocked"
  | "complete"
  | "cancelled"
  | "corrupt"
  | "no-state";

export interface Step {
  readonly status: SpecStatus;
  /** The tool to call, or `user` if the user has to decide. */
  readonly next: string;
  /** The step as a sentence without a final period. */
  readonly todo: string;
}

/** A step that calls a tool; `todo` gets the call as text. */
export function toolStep(
  next: string,
  args: Readonly<Record<string, unknown>>,
  todo: (call: string) => string = (call) => `call ${call}`,
  status: SpecStatus = "active",
): Step {
  return { status, next, todo: todo(callOf(next, args)) };
}

export function userStep(status: SpecStatus, todo: string): Step {
  return { status, next: "user", todo };
}

/** The next step of a spec, from its state and its documents. */
export function nextStep(spec: Spec): Step {
  const { name, state, list, args } = spec;
  if (state === null) {
    const kind = spec.noState?.kind ?? "missing";
    const todo = (call: string) => `call ${call} to resume the spec`;
    const status = kind === "missing" ? "no-state" : kind;
    return toolStep("ralph_start", { name, resume: true }, todo, status);
  }
  if (isComplete(state, list)) {
    const todo = () =>
      "the spec is complete: untick a task to work on it again, or begin another with ralph_start";
    return toolStep("ralph_start", {}, todo, "complete");
  }
  const { phase } = state;
  const [revised] = state.redoPhases;
  if (revised !== undefined) {
    return completing(spec, revised, `revise ${specPath(spec, documentOf(revised))}, then `);
  }
  if (state.awaitingApproval && !state.quickMode) {
    const call = callOf(toolOf(phase), args);
    return userStep(
      "awaiting-approval",
      `the user approves ${approvedPath(spec, state)}; then call ${call}`,
    );
  }
  if (phase === "execution") return executionStep({ ...spec, state });
  const path = specPath(spec, documentOf(phase));
  if (spec.written.has(phase)) return completing(spec, phase, `${path} is written: `);
  const todo = (call: string) => `call ${call}, write ${path}, then complete the phase`;
  return toolStep(toolOf(phase), args, todo);
}

function executionStep(spec: SoundSpec): Step {
  const { state, list, args } = spec;
  if (list === null || list.tasks.length === 0) {
    const todo = (call: string) => `call ${call}: there are no tasks`;
    return toolStep("ralph_tasks", { ...args, redo: true }, todo);
  }
  const [open] = list.open;
  if (open !== undefined && blockedIn(state, list) === open) {
    const reason = quotedName(state.blockedTask!.reason);
    return userStep("blocked", `the user decides about task ${open.id} (${reason})`);
  }
  if (open !== undefined) {
    return toolStep("ralph_implement", args, (call) => `call ${call} for task ${open.id}`);
  }
  return list.advice === null
    ? completing(spec, "execution", "all tasks are ticked: ")
    : toolStep("ralph_implement", args, (call) => `${list.advice}; then call ${call}`);
}

/** The step that completes a phase, after what `before` says. */
export function completing({ args }: Spec, phase: string, before: string): Step {
  const todo = (call: string) => `${before}call ${call} with a summary`;
  return toolStep("ralph_complete_phase", { ...args, phase }, todo);
}

/** The task that waits for the user, unless it was ticked or rewritten since. */
export function blockedIn({ blockedTask }: State, list: TaskList): Task | undefined {
  return list.open.find((task) => stampOf(task) === blockedTask?.stamp);
}

/** A spec that was completed by force stays complete until its open tasks change. */
function isComplete(state: State, list: TaskList | null): boolean {
  if (state.completedAt === undefined) return false;
  return list === null || list.open.length === state.openAtCompletion;
}

/** The document that waits for approval; other programs do not store which one it is. */
function approvedPath(spec: Spec, { phase, approvalFor }: State): string {
  const before = DOCUMENT_PHASES.find((earlier) => phaseAfter(earlier) === phase);
  return specPath(spec, documentOf(approvalFor ?? before ?? "research"));
}
