/** The specs of a project as rows of a table. */

import { word } from "../../src/plain_text.ts";
import { listFolders, readPointer } from "./folders.ts";
import { nextStep, type Step, toolStep } from "./next.ts";
import { documentOf } from "./phases.ts";
import { readSpec, type Spec } from "./spec.ts";
import { counterOf } from "./state.ts";
import { doneCount } from "./tasks.ts";

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

export function rowOf(spec: Spec, current: boolean): SpecRow {
  const { name, state, list } = spec;
  const { status, ...step } = nextStep(spec);
  // Without a tasks.md, the counters of the state are all there is.
  const total = list?.tasks.length ?? counterOf(state, "totalTasks");
  return {
    name,
    current,
    phase: state?.phase ?? (status === "no-state" ? "unknown" : status),
    status,
    done: list === null ? Math.min(counterOf(state, "taskIndex"), total) : doneCount(list),
    total,
    artifacts: [...spec.written].map(documentOf),
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
  const folders = listFolders(cwd);
  const { text, folder } = readPointer(cwd, folders);
  const listed = folders.slice(0, MAX_ROWS);
  if (folder !== null && !listed.includes(folder)) listed.splice(-1, 1, folder);
  const specs = listed.map((each) => rowOf(readSpec(each, each !== folder), each === folder));
  return {
    current: folder?.name ?? null,
    count: folders.length,
    specs,
    step: specs.find((row) => row.current) ?? stepToASpec(folders[0]?.name),
    warnings: text === null || folder !== null ? [] : [
      `specs/.current-spec is stale: it names '${word(text)}', which does not exist. ` +
      "Call ralph_switch to choose another spec.",
    ],
  };
}

/** The next step if no spec is current, with the name of one that there is. */
export function stepToASpec(name: string | undefined): Step {
  if (name === undefined) {
    return toolStep("ralph_start", {}, (call) => `call ${call} with a goal`, "no-state");
  }
  const todo = (call: string) => `call ${call}, or with another name`;
  return toolStep("ralph_switch", { name }, todo, "no-state");
}
