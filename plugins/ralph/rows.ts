/** The specs of a project as rows of a table. */

import { shownName } from "./names.ts";
import { nextStep, type Step, toolStep } from "./next.ts";
import { documentOf } from "./phases.ts";
import { listSpecs, namesOf, readPointer } from "./specs.ts";
import { counterOf } from "./state.ts";
import { doneCount } from "./tasks.ts";
import { look, type View } from "./view.ts";

const MAX_ROWS = 50;

export interface SpecRow extends Step {
  readonly name: string;
  readonly current: boolean;
  /** The phase, or why there is none. */
  readonly phase: string;
  readonly done: number;
  readonly total: number;
  /** The file names of the documents. */
  readonly artifacts: string[];
}

export function rowOf(view: View, current: boolean): SpecRow {
  const { spec, state, list } = view;
  const { status, ...step } = nextStep(view);
  // Without a tasks.md, the counters of the state are all there is.
  const total = list?.tasks.length ?? counterOf(state, "totalTasks");
  return {
    name: spec.name,
    current,
    phase: state?.phase ?? (status === "no-state" ? "unknown" : status),
    status,
    done: list === null ? Math.min(counterOf(state, "taskIndex"), total) : doneCount(list),
    total,
    artifacts: [...view.written].map(documentOf),
    ...step,
  };
}

/** The facts that answers show about a row. */
export function factsOf({ done, total, artifacts }: SpecRow): string[] {
  return [
    `Tasks: ${total > 0 ? `${done}/${total}` : "-"}`,
    `Documents: ${artifacts.join(", ") || "none"}`,
  ];
}

export interface Overview {
  readonly current: string | null;
  readonly count: number;
  /** The rows, sorted by name; at most {@linkcode MAX_ROWS}. */
  readonly specs: readonly SpecRow[];
  /** The next step of the current spec, or how to choose one. */
  readonly step: Step;
  readonly warnings: readonly string[];
}

export function overview(cwd: string): Overview {
  const specs = listSpecs(cwd);
  const warnings: string[] = [];
  const pointer = readPointer(cwd, specs);
  if (pointer.text !== null && pointer.spec === null) {
    warnings.push(
      `specs/.current-spec is stale: it names '${
        shownName(pointer.text)
      }', which does not exist. Call ralph_switch to choose another spec.`,
    );
  }
  const current = pointer.spec?.name ?? null;
  const shown = specs.slice(0, MAX_ROWS);
  if (pointer.spec !== null && !shown.includes(pointer.spec)) shown.splice(-1, 1, pointer.spec);
  const rows = shown.map((spec) => {
    const isCurrent = spec.name === current;
    return rowOf(look(spec, !isCurrent), isCurrent);
  });
  return {
    current,
    count: specs.length,
    specs: rows,
    step: rows.find((row) => row.current) ?? withoutCurrent(namesOf(specs)),
    warnings,
  };
}

/** The next step if no spec is current. */
export function withoutCurrent([first]: readonly string[]): Step {
  if (first === undefined) {
    return toolStep("ralph_start", {}, (call) => `call ${call} with a goal`, "no-state");
  }
  const todo = (call: string) => `call ${call}, or with another name`;
  return toolStep("ralph_switch", { name: first }, todo, "no-state");
}
