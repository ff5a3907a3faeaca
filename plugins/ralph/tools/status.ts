/**
 * `ralph_status`: how all specs stand. It never changes anything.
 *
 * @module
 */

import { z } from "zod";
import { messageOf } from "../../../src/errors.ts";
import type { CliPluginCommand, McpHandlerContext } from "../../../src/surface/plugin.ts";
import { type TextResult, withText } from "../../../src/surface/result.ts";
import { lintSpec } from "../lint/mod.ts";
import { shownName } from "../names.ts";
import { callOf, describeSpec, readGoal, readTasks, type SpecRow } from "../overview.ts";
import { follow, row } from "../schemas.ts";
import { findSpec, listSpecs, readPointer, type Spec, specPath } from "../specs.ts";
import { newestBackup, readState } from "../state.ts";
import { openTasks } from "../tasks.ts";

/** How many rows are shown. */
const MAX_ROWS = 50;

const Input = z.strictObject({
  spec_name: z.string().min(1).optional().describe("One spec in detail"),
});

/** One spec in detail. */
interface SpecDetail {
  readonly path: string;
  readonly goal: string;
  /** A corrupt state file that was kept. */
  readonly backup: string | null;
  readonly completedAt: string | null;
  /** How often the task at hand was handed out. */
  readonly attempt: number;
  /** The next open tasks. */
  readonly open: { id: string; title: string }[];
  /** Open boxes without a task number. */
  readonly unnumbered: number;
  /** How many requirements and criteria there are, and which no task names. */
  readonly coverage: { requirements: number; criteria: number; uncovered: string[] };
}

/** The status of all specs. */
export interface StatusData {
  /** One line about it. */
  readonly message: string;
  /** The current spec. */
  readonly current: string | null;
  /** How many specs there are. */
  readonly count: number;
  /** How many of them are not among the rows. */
  readonly more: number;
  /** The rows, by name. */
  readonly specs: SpecRow[];
  /** The next tool, and its arguments. */
  readonly next: string;
  readonly nextArgs: Record<string, unknown>;
  /** What is odd. */
  readonly warnings: string[];
}

const Output = z.object({
  message: z.string(),
  current: z.string().nullable(),
  specs: z.array(row),
  ...follow,
});

/** The tool. */
export const status: CliPluginCommand = {
  name: "status",
  toolName: "ralph_status",
  title: "Status of specs",
  description: "Shows all specs: phase, ticked tasks, documents, and the next tool for each.",
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  inputSchema: Input,
  outputSchema: Output,
  mcpHandler: (input: z.output<typeof Input>, context) => show(input.spec_name, context),
};

function show(wanted: string | undefined, { cwd }: McpHandlerContext): TextResult {
  const all = statusData(cwd);
  const specs = listSpecs(cwd);
  if (wanted === undefined) return withText(tableOf(all), { ...all });
  const spec = findSpec(specs, wanted);
  const row = describeSpec(spec, all.current);
  const detail = detailOf(spec);
  const data = { ...all, specs: [row], more: 0, spec: detail, ...nextOf(row) };
  const open = detail.open.map((task) => `- ${task.id} ${task.title}`);
  const text = [
    tableOf(data),
    "",
    `Goal: ${detail.goal}`,
    ...(detail.backup === null ? [] : [`Kept state file: ${detail.backup}`]),
    ...(open.length === 0 ? [] : ["Open tasks:", ...open]),
    ...(detail.coverage.uncovered.length === 0
      ? []
      : [`Without a task: ${detail.coverage.uncovered.join(", ")}`]),
  ].join("\n");
  return withText(text, data);
}

/** The status of all specs, as data; the resource `ralph://specs` is the same. */
export function statusData(cwd: string): StatusData {
  const specs = listSpecs(cwd);
  const notes: string[] = [];
  let pointer: ReturnType<typeof readPointer> = { text: null, spec: null };
  try {
    pointer = readPointer(cwd, specs);
  } catch (error) {
    notes.push(messageOf(error));
  }
  if (pointer.text !== null && pointer.spec === null) {
    notes.push(
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
  const rows = shown.map((spec) => describeSpec(spec, current));
  const mine = rows.find((row) => row.current);
  const after = mine !== undefined
    ? nextOf(mine)
    : specs.length === 0
    ? { next: "ralph_start", nextArgs: {} }
    : { next: "ralph_switch", nextArgs: { name: specs[0]!.name } };
  return {
    message: specs.length === 0
      ? "No specs found. Run ralph_start to begin."
      : `${specs.length} ${specs.length === 1 ? "spec" : "specs"}, current: ${
        current === null ? "(none)" : shownName(current)
      }`,
    current,
    count: specs.length,
    more: specs.length - rows.length,
    specs: rows,
    ...after,
    warnings: notes,
  };
}

function nextOf(row: SpecRow): { next: string; nextArgs: Record<string, unknown> } {
  return { next: row.next, nextArgs: row.nextArgs };
}

function detailOf(spec: Spec): SpecDetail {
  const read = readState(spec);
  const state = read.kind === "ok" ? read.state : null;
  const { list } = readTasks(spec);
  const backup = newestBackup(spec);
  const { coverage } = lintSpec(spec);
  return {
    path: specPath(spec),
    goal: readGoal(spec, state).slice(0, 2_000),
    backup: backup === null ? null : specPath(spec, backup),
    completedAt: state?.completedAt ?? null,
    attempt: state?.counters.taskIteration ?? 0,
    open: list === null ? [] : openTasks(list).slice(0, 10)
      .map(({ id, title }) => ({ id, title: title.slice(0, 200) })),
    unnumbered: list?.unnumbered.open ?? 0,
    coverage: {
      requirements: coverage.requirements.length,
      criteria: coverage.criteria.length,
      uncovered: coverage.uncovered.slice(0, 50),
    },
  };
}

function tableOf(data: StatusData): string {
  if (data.count === 0) return [data.message, ...data.warnings].join("\n");
  const lines = [
    `Current spec: ${data.current === null ? "(none)" : cell(data.current)}`,
    "",
    "| Spec | Phase | Tasks | Documents | Next |",
    "|---|---|---|---|---|",
    ...data.specs.map((row) => {
      const phase = row.status === "complete" ? "complete" : row.phase;
      const waits = row.awaitingApproval ? " (awaiting approval)" : "";
      const tasks = row.total > 0 ? `${row.done}/${row.total}` : "-";
      const documents = row.artifacts.map((file) => file.replace(/\.md$/, "")).join(", ") || "-";
      return `| ${cell(row.name)}${
        row.current ? " *" : ""
      } | ${phase}${waits} | ${tasks} | ${documents} | ${bars(callOf(row.next, row.nextArgs))} |`;
    }),
  ];
  if (data.more > 0) lines.push(`… and ${data.more} more`);
  lines.push(...data.warnings.map((warning) => `\nNote: ${warning}`));
  lines.push("", `Next: ${callOf(data.next, data.nextArgs)}`);
  return lines.join("\n");
}

/** A name in a table: bars would end the cell, line breaks the row. */
function cell(text: string): string {
  return bars(shownName(text));
}

function bars(text: string): string {
  return text.replaceAll("|", "\\|");
}
