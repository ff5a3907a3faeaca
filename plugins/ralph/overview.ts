/**
 * What is on disk about a spec, put together without changing anything.
 *
 * @module
 */

import { messageOf } from "../../src/errors.ts";
import { lstatIfExists, readInside, readText } from "./files.ts";
import { ARTIFACTS, type DocumentPhase, type Phase, PHASE_TOOLS } from "./phases.ts";
import { goalOf, readProgress, wasCancelled } from "./progress.ts";
import { type Spec, specFile, specPath } from "./specs.ts";
import { asCounter, newestBackup, readState, type State, textField } from "./state.ts";
import { doneCount, parseTasks, type TaskList } from "./tasks.ts";

/** How a spec stands. */
export type SpecStatus =
  | "active"
  | "awaiting-approval"
  | "complete"
  | "cancelled"
  | "corrupt"
  | "no-state";

/** One row of a status. */
export interface SpecRow {
  /** The spec. */
  readonly name: string;
  /** Whether it is the current one. */
  readonly current: boolean;
  /** The phase, or why there is none. */
  readonly phase: Phase | "cancelled" | "corrupt" | "unknown";
  /** How it stands. */
  readonly status: SpecStatus;
  /** Ticked tasks. */
  readonly done: number;
  /** All tasks. */
  readonly total: number;
  /** The documents that are there. */
  readonly artifacts: string[];
  /** Whether a finished phase waits for approval. */
  readonly awaitingApproval: boolean;
  /** Whether it runs without stops. */
  readonly quick: boolean;
  /** The next tool to call. */
  readonly next: string;
  /** Its arguments, where it needs some. */
  readonly nextArgs: Record<string, unknown>;
}

/** The tasks of a spec, as far as they can be read. */
export interface TaskFile {
  /** The text, or `null` where there is no file. */
  readonly text: string | null;
  /** The tasks, or `null` where there is no file. */
  readonly list: TaskList | null;
  /** Why the file was not read whole, where that is so. */
  readonly warning: string | null;
}

/** Reads `tasks.md`; trouble is a warning. */
export function readTasks(spec: Spec): TaskFile {
  try {
    const file = readInside(spec.cwd, specFile(spec, ARTIFACTS.tasks));
    if (file === null) return { text: null, list: null, warning: null };
    return {
      text: file.text,
      list: parseTasks(file.text),
      warning: file.cut ? `${specPath(spec, ARTIFACTS.tasks)} is too large to read whole` : null,
    };
  } catch (error) {
    return { text: null, list: null, warning: messageOf(error) };
  }
}

/** The documents of a spec that exist and are not empty. */
export function artifactsOf(spec: Spec, present: ReadonlySet<string> = filesIn(spec)): string[] {
  return Object.values(ARTIFACTS).filter((file) => {
    if (!present.has(file)) return false;
    try {
      const info = lstatIfExists(specFile(spec, file));
      // Only a short file can be nothing but blanks; a long one need not be read.
      if (info === null || info.isFile && info.size > 1024) return info !== null;
      return (readText(spec.cwd, specFile(spec, file)) ?? "").trim() !== "";
    } catch {
      return false;
    }
  });
}

/** The names in a spec's folder: one listing is cheaper than a look for each file. */
function filesIn(spec: Spec): ReadonlySet<string> {
  try {
    return new Set([...Deno.readDirSync(spec.dir)].map((entry) => entry.name));
  } catch {
    return new Set();
  }
}

/** The phase that fits the documents that are there. */
export function inferPhase(spec: Spec): Phase {
  const artifacts = artifactsOf(spec);
  if (artifacts.includes(ARTIFACTS.tasks)) {
    const { list } = readTasks(spec);
    return list !== null && doneCount(list) > 0 ? "execution" : "tasks";
  }
  const order: readonly DocumentPhase[] = ["design", "requirements", "research"];
  const after: Readonly<Record<string, Phase>> = {
    design: "tasks",
    requirements: "design",
    research: "requirements",
  };
  const last = order.find((phase) => artifacts.includes(ARTIFACTS[phase]));
  return last === undefined ? "research" : after[last]!;
}

/** The goal of a spec: as the diary has it, because people edit that; else from the state. */
export function readGoal(spec: Spec, state: State | null): string {
  try {
    const text = readProgress(spec);
    const goal = text === null ? null : goalOf(text);
    if (goal !== null) return goal;
  } catch {
    // An unreadable diary has no goal.
  }
  return (state === null ? undefined : textField(state, "goal")) ?? `Implement ${spec.name}`;
}

/** A row about a spec. It reads, and changes nothing. */
export function describeSpec(spec: Spec, current: string | null): SpecRow {
  const present = filesIn(spec);
  const read = readState(spec);
  const state = read.kind === "ok" ? read.state : null;
  const list = present.has(ARTIFACTS.tasks) ? readTasks(spec).list : null;
  const done = list !== null ? doneCount(list) : 0;
  const total = list !== null ? list.tasks.length : 0;
  const counters = state?.counters ?? {};
  const fallback = list === null ? counters.totalTasks ?? 0 : 0;
  const base = {
    name: spec.name,
    current: spec.name === current,
    done: list !== null ? done : Math.min(counters.taskIndex ?? 0, fallback),
    total: list !== null ? total : fallback,
    artifacts: artifactsOf(spec, present),
    awaitingApproval: state?.awaitingApproval ?? false,
    quick: state?.quick ?? false,
  };
  if (state === null) {
    const kind = read.kind === "corrupt"
      ? "corrupt"
      : wasCancelled(spec)
      ? "cancelled"
      : newestBackup(spec) !== null
      ? "corrupt"
      : "no-state";
    return {
      ...base,
      phase: kind === "no-state" ? "unknown" : kind,
      status: kind,
      next: "ralph_start",
      nextArgs: { name: spec.name, resume: true },
    };
  }
  // A spec that was completed by force stays complete until its open tasks change.
  const openThen = asCounter(state.raw["openAtCompletion"]) ?? 0;
  const complete = state.completedAt !== null && (list === null || total - done === openThen);
  const target = base.current ? {} : { spec_name: spec.name };
  if (complete) {
    return { ...base, phase: state.phase, status: "complete", next: "ralph_start", nextArgs: {} };
  }
  const finished = state.phase === "execution" && total > 0 && done === total;
  return {
    ...base,
    phase: state.phase,
    status: state.awaitingApproval ? "awaiting-approval" : "active",
    next: finished ? "ralph_complete_phase" : PHASE_TOOLS[state.phase],
    nextArgs: finished ? { ...target, phase: "execution" } : target,
  };
}

/** A tool with its arguments, in one line of prose. */
export function callOf(tool: string, args: Readonly<Record<string, unknown>>): string {
  const fields = Object.entries(args).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  return fields.length === 0 ? tool : `${tool} { ${fields.join(", ")} }`;
}
