/** `ralph_status`: shows all specs, or one in detail. */

import * as z from "zod";
import { quoted, word } from "../../../src/plain_text.ts";
import type { Tool } from "../../../src/plugin/tool.ts";
import { brief } from "../failures.ts";
import { findFolder, listFolders, readPointer } from "../folders.ts";
import { coverageText, lintSpec } from "../lint.ts";
import { nextStep, type Step, toolStep } from "../next.ts";
import { documentOf } from "../phases.ts";
import { readSpec, type Spec } from "../spec.ts";
import { type Answer, ralphTool } from "../tool.ts";

/** How many specs an answer has, and how many open tasks of one. */
const MAX_SPECS = 50;
const MAX_OPEN = 10;

export const statusTool: Tool = ralphTool({
  name: "status",
  listed: { with: ["ralph"], rank: 9 },
  title: "Show the specs",
  description: "Shows all specs and the next step of each. Call it first after a restart.",
  effect: "reads",
  input: z.strictObject({
    spec_name: z.string().optional().describe("Show this one in detail"),
  }),
  output: { current: z.string().nullable(), total: z.int(), specs: z.array(z.unknown()) },
  run: ({ spec_name }, { project: { cwd } }) => {
    const all = overview(cwd);
    if (spec_name === undefined) return tableOf(all);
    return detailsOf(all, readSpec(findFolder(cwd, spec_name), spec_name !== all.current));
  },
});

export type SpecRow = ReturnType<typeof rowOf>;

/** What answers have of a spec, except its next step. */
export function rowOf(spec: Spec, current: boolean) {
  const { name, state, list } = spec;
  const { status } = nextStep(spec);
  // Without a tasks.md, the counters of the state are all there is.
  const total = list?.tasks.length ?? state?.totalTasks ?? 0;
  return {
    name,
    current,
    /** Or why there is none. */
    phase: state?.phase ?? (status === "no-state" ? "unknown" : status),
    status,
    done: list === null ? Math.min(state?.taskIndex ?? 0, total) : list.done,
    total,
    artifacts: [...spec.written].map(documentOf),
  };
}

/** The facts that answers show about a row. */
export function factsOf(row: SpecRow): string[] {
  return [`Tasks: ${ticksOf(row)}`, `Documents: ${row.artifacts.join(", ") || "none"}`];
}

const ticksOf = ({ done, total }: SpecRow) => total > 0 ? `${done}/${total}` : "-";

export type Overview = ReturnType<typeof overview>;

/** All specs, sorted by name and at most {@linkcode MAX_SPECS}, and the next step. */
export function overview(cwd: string) {
  const folders = listFolders(cwd);
  const { folder, stale } = readPointer(cwd, folders);
  const listed = folders.slice(0, MAX_SPECS);
  if (folder !== null && !listed.includes(folder)) listed.splice(-1, 1, folder);
  const read = listed.map((each) => readSpec(each, each !== folder));
  const current = read.find(({ name }) => name === folder?.name);
  return {
    current: folder?.name ?? null,
    total: folders.length,
    // The answer itself has the step of the current one.
    specs: read.map((spec) => {
      const step: Partial<Step> = spec === current ? {} : nextStep(spec);
      return { ...rowOf(spec, spec === current), ...step };
    }),
    step: current === undefined ? stepToASpec(folders[0]?.name) : nextStep(current),
    warnings: stale === null ? [] : [
      `specs/.current-spec is stale: it names '${word(stale)}', which does not exist. ` +
      "Call ralph_switch to choose another spec.",
    ],
  };
}

/** The next step if no spec is current, with the name of one that there is. */
function stepToASpec(name: string | undefined): Step {
  if (name === undefined) {
    return toolStep("ralph_start", {}, (call) => `call ${call} with a goal`, "no-state");
  }
  const todo = (call: string) => `call ${call}, or with another name`;
  return toolStep("ralph_switch", { name }, todo, "no-state");
}

function tableOf({ step, warnings, ...data }: Overview): Answer {
  const { current, total, specs } = data;
  if (total === 0) {
    return { message: "No specs found. Run ralph_start to begin", step, warnings, data };
  }
  const rows = specs.map((row) => {
    const { status } = row;
    const isWaiting = status === "blocked" || status === "awaiting-approval";
    const phase = isWaiting ? `${row.phase} (${status})` : row.phase;
    const cells = [
      word(row.name) + (row.current ? " *" : ""),
      status === "complete" ? "complete" : phase,
      ticksOf(row),
      row.artifacts.map((file) => file.replace(/\.md$/, "")).join(", ") || "-",
      brief(row.todo ?? "-", 200),
    ];
    return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  });
  if (total > specs.length) rows.push(`… of ${total} specs`);
  return {
    message: `Current spec: ${current === null ? "(none)" : word(current)}`,
    body: ["| Spec | Phase | Tasks | Documents | Next |", "|---|---|---|---|---|", ...rows].join(
      "\n",
    ),
    step,
    warnings,
    data,
  };
}

function detailsOf(all: Overview, spec: Spec): Answer {
  const { name, goal, list } = spec;
  const row = rowOf(spec, name === all.current);
  const open = list?.open ?? [];
  const details = {
    goal: brief(goal, 2_000),
    open: open.slice(0, MAX_OPEN).map(({ id, title }) => `${id} ${quoted(title)}`),
    coverage: coverageText(lintSpec(spec).coverage),
  };
  const facts = [
    `Goal: ${quoted(goal)}`,
    ...factsOf(row),
    open.length > 0 && `Open: ${details.open.join(", ")}${open.length > MAX_OPEN ? ", …" : ""}`,
    details.coverage !== null && `Coverage: ${details.coverage}`,
  ].filter((fact) => fact !== false);
  return {
    message: `Spec '${word(name)}': ${row.phase} (${row.status})`,
    facts,
    step: nextStep(spec),
    warnings: [...all.warnings, ...list?.warnings ?? []],
    data: { current: all.current, total: all.total, specs: [{ ...row, ...details }] },
  };
}
