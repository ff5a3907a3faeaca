/** `ralph_status`: shows all specs, or one in detail. */

import * as z from "zod";
import { quoted } from "../../../src/plain_text.ts";
import type { Tool } from "../../../src/tools/tool.ts";
import { brief } from "../failures.ts";
import { lintSpec, shownCoverage } from "../lint.ts";
import { shownName } from "../names.ts";
import { factsOf, type Overview, overview, rowOf } from "../rows.ts";
import { findSpec, listSpecs, type Spec, specPath } from "../specs.ts";
import { newestBackup } from "../state.ts";
import { openTasks } from "../tasks.ts";
import { type Answer, ralphTool } from "../tool.ts";
import { look } from "../view.ts";

/** How many open tasks one answer names. */
const SHOWN_TASKS = 10;

export const status: Tool = ralphTool({
  name: "status",
  title: "Show the specs",
  description: "Shows all specs and the next step of each. Call it first after a restart.",
  effect: "reads",
  input: z.strictObject({
    spec_name: z.string().optional().describe("Show this one in detail"),
  }),
  output: { current: z.string().nullable(), total: z.int(), specs: z.array(z.unknown()) },
  run: ({ spec_name }, { project: { cwd } }) => {
    const all = overview(cwd);
    return spec_name === undefined
      ? tableOf(all)
      : detailsOf(all, findSpec(listSpecs(cwd), spec_name));
  },
});

function tableOf({ current, count, specs, step, warnings }: Overview): Answer {
  const data = { current, total: count, specs: [...specs] };
  if (count === 0) {
    return { message: "No specs found. Run ralph_start to begin", step, warnings, data };
  }
  const rows = specs.map((row) => {
    const isWaiting = row.status === "blocked" || row.status === "awaiting-approval";
    const phase = isWaiting ? `${row.phase} (${row.status})` : row.phase;
    const cells = [
      shownName(row.name) + (row.current ? " *" : ""),
      row.status === "complete" ? "complete" : phase,
      row.total > 0 ? `${row.done}/${row.total}` : "-",
      row.artifacts.map((file) => file.replace(/\.md$/, "")).join(", ") || "-",
      brief(row.todo, 200),
    ];
    return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  });
  return {
    message: `Current spec: ${current === null ? "(none)" : shownName(current)}`,
    body: [
      "| Spec | Phase | Tasks | Documents | Next |",
      "|---|---|---|---|---|",
      ...rows,
      ...(count > specs.length ? [`… of ${count} specs`] : []),
    ].join("\n"),
    step,
    warnings,
    data,
  };
}

function detailsOf(all: Overview, spec: Spec): Answer {
  const isCurrent = all.current === spec.name;
  const view = look(spec, !isCurrent);
  const { goal, list } = view;
  const row = rowOf(view, isCurrent);
  const backup = newestBackup(spec);
  const open = (list === null ? [] : openTasks(list))
    .map(({ id, title }) => `${id} ${quoted(title)}`);
  const isCut = open.length > SHOWN_TASKS;
  const coverage = shownCoverage(lintSpec(view).coverage);
  const details = {
    goal: brief(goal, 2_000),
    backup: backup === null ? null : specPath(spec, backup),
    open: open.slice(0, SHOWN_TASKS),
    coverage,
  };
  return {
    message: `Spec '${shownName(spec.name)}': ${row.phase} (${row.status})`,
    facts: [
      `Goal: ${brief(goal, 500)}`,
      ...factsOf(row),
      ...(open.length > 0 ? [`Open: ${details.open.join(", ")}${isCut ? ", …" : ""}`] : []),
      ...(coverage === null ? [] : [`Coverage: ${coverage}`]),
      ...(backup === null ? [] : [`A corrupt state file was kept as ${details.backup}`]),
    ],
    step: row,
    warnings: [...all.warnings, ...list?.warnings ?? []],
    data: { current: all.current, total: all.count, specs: [{ ...row, ...details }] },
  };
}
