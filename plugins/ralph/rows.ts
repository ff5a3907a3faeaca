/**
 * Specs as rows of a table: how each stands, and what is next.
 *
 * @module
 */

import { messageOf } from "../../src/errors.ts";
import { callOf } from "./failures.ts";
import { shownName } from "./names.ts";
import { nextStep, type SpecStatus, type Step } from "./next.ts";
import { documentOf } from "./phases.ts";
import { listSpecs, readPointer } from "./specs.ts";
import { doneCount } from "./tasks.ts";
import { look, type View } from "./view.ts";

/** How many rows are shown. */
const MAX_ROWS = 50;

/** One row. */
export interface SpecRow {
  /** The spec. */
  readonly name: string;
  /** Whether it is the current one. */
  readonly current: boolean;
  /** The phase, or why there is none. */
  readonly phase: string;
  /** How it stands. */
  readonly status: SpecStatus;
  /** Ticked tasks. */
  readonly done: number;
  /** All tasks. */
  readonly total: number;
  /** The documents that are there. */
  readonly artifacts: string[];
  /** Whether it runs without stops. */
  readonly quick: boolean;
  /** The tool to call next, or `user`. */
  readonly next: string;
  /** Its arguments. */
  readonly nextArgs: Readonly<Record<string, unknown>>;
  /** The same in a sentence. */
  readonly todo: string;
}

/** The row of a spec. */
export function rowOf(view: View, current: boolean): SpecRow {
  const { spec, state, list } = view;
  const { status, next, nextArgs, todo } = nextStep(view);
  // Without a tasks.md, what the state counted is all there is.
  const total = list?.tasks.length ?? state?.counters.totalTasks ?? 0;
  return {
    name: spec.name,
    current,
    phase: state?.phase ?? (status === "no-state" ? "unknown" : status),
    status,
    done: list === null ? Math.min(state?.counters.taskIndex ?? 0, total) : doneCount(list),
    total,
    artifacts: [...view.written].map(documentOf),
    quick: state?.quick ?? false,
    next,
    nextArgs,
    todo,
  };
}

/** How all specs stand. */
export interface Overview {
  /** The current spec. */
  readonly current: string | null;
  /** How many specs there are. */
  readonly count: number;
  /** The rows, by name; not all where there are very many. */
  readonly specs: readonly SpecRow[];
  /** What is next for the current spec, or how to get one. */
  readonly step: Step;
  /** What is odd. */
  readonly warnings: readonly string[];
}

/** Looks at all specs. It reads, and changes nothing. */
export function overview(cwd: string): Overview {
  const specs = listSpecs(cwd);
  const warnings: string[] = [];
  let pointer: ReturnType<typeof readPointer> = { text: null, spec: null };
  try {
    pointer = readPointer(cwd, specs);
  } catch (error) {
    warnings.push(messageOf(error));
  }
  if (pointer.text !== null && pointer.spec === null) {
    warnings.push(
      `specs/.current-spec is stale: it names '${
        shownName(pointer.text)
      }', which does not exist. Call ralph_switch to choose another spec.`,
    );
  }
  const current = pointer.spec?.name ?? null;
  const shown = specs.slice(0, MAX_ROWS);
  // The current spec is always among the rows.
  if (pointer.spec !== null && !shown.some((spec) => spec.name === current)) {
    shown[shown.length - 1] = pointer.spec;
  }
  const rows = shown.map((spec) => {
    const isCurrent = spec.name === current;
    return rowOf(look(spec, !isCurrent), isCurrent);
  });
  return {
    current,
    count: specs.length,
    specs: rows,
    step: rows.find((row) => row.current) ?? withoutCurrent(specs.map((spec) => spec.name)),
    warnings,
  };
}

/** What is next where no spec is current. */
export function withoutCurrent(names: readonly string[]): Step {
  if (names.length === 0) {
    return {
      status: "no-state",
      next: "ralph_start",
      nextArgs: {},
      todo: "call ralph_start with a goal",
    };
  }
  const nextArgs = { name: names[0]! };
  return {
    status: "no-state",
    next: "ralph_switch",
    nextArgs,
    todo: `call ${callOf("ralph_switch", nextArgs)}, or with another name`,
  };
}
