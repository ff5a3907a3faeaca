/**
 * `ralph_status`: how all specs stand. It never changes anything.
 *
 * @module
 */

import { z } from "zod";
import type { CliPluginCommand } from "../../../src/tools/plugin.ts";
import { brief, few } from "../failures.ts";
import { shownCoverage } from "../lint/coverage.ts";
import { lintSpec } from "../lint/mod.ts";
import { shownName } from "../names.ts";
import { type Overview, overview, rowOf } from "../rows.ts";
import { findSpec, listSpecs, type Spec, specPath } from "../specs.ts";
import { newestBackup } from "../state.ts";
import { openTasks } from "../tasks.ts";
import { type Answer, ralphTool } from "../tool.ts";
import { look } from "../view.ts";

/** The tool. */
export const status: CliPluginCommand = ralphTool({
  name: "status",
  title: "Status",
  description: "Shows all specs, and what is next for each. Call it first after a restart.",
  effect: "reads",
  input: z.strictObject({
    spec_name: z.string().optional().describe("One in detail"),
  }),
  output: { current: "string?", specs: "array" },
  run: ({ spec_name }, { cwd }) => {
    const all = overview(cwd);
    return spec_name === undefined
      ? overviewTable(all)
      : detail(all, findSpec(listSpecs(cwd), spec_name));
  },
});

function overviewTable(all: Overview): Answer {
  const { current, count, specs, step, warnings } = all;
  const rows = specs.map((row) => {
    const stands = ["blocked", "awaiting-approval"].includes(row.status) ? ` (${row.status})` : "";
    const tasks = row.total > 0 ? `${row.done}/${row.total}` : "-";
    const documents = row.artifacts.map((file) => file.replace(/\.md$/, "")).join(", ") || "-";
    return `| ${cell(row.name)}${row.current ? " *" : ""} | ${
      row.status === "complete" ? "complete" : row.phase + stands
    } | ${tasks} | ${documents} | ${bars(brief(row.todo, 200))} |`;
  });
  const more = count - specs.length;
  return {
    message: count === 0
      ? "No specs found. Run ralph_start to begin"
      : `Current spec: ${current === null ? "(none)" : cell(current)}`,
    ...(count === 0 ? {} : {
      body: [
        "| Spec | Phase | Tasks | Documents | Next |",
        "|---|---|---|---|---|",
        ...rows,
        ...(more > 0 ? [`… and ${more} more`] : []),
      ].join("\n"),
    }),
    step,
    warnings,
    data: { current, specs: [...specs] },
  };
}

function detail(all: Overview, spec: Spec): Answer {
  const isCurrent = all.current === spec.name;
  const view = look(spec, !isCurrent);
  const row = rowOf(view, isCurrent);
  const backup = newestBackup(spec);
  const open = (view.list === null ? [] : openTasks(view.list)).map(({ id, title }) =>
    `${id} ${brief(title, 100)}`
  );
  const coverage = shownCoverage(lintSpec(view).coverage);
  const detail = {
    path: specPath(spec),
    goal: brief(view.goal, 2_000),
    backup: backup === null ? null : specPath(spec, backup),
    completedAt: view.state?.completedAt ?? null,
    attempt: view.state?.counters.taskIteration ?? 0,
    open: open.slice(0, 10),
    coverage,
  };
  return {
    message: `Spec '${shownName(spec.name)}': ${row.phase} (${row.status})`,
    facts: [
      `Goal: ${brief(view.goal, 500)}`,
      `Tasks: ${row.total > 0 ? `${row.done}/${row.total}` : "-"}`,
      `Documents: ${row.artifacts.join(", ") || "none"}`,
      ...(open.length > 0 ? [`Open: ${few(open, 5)}`] : []),
      ...(coverage === null ? [] : [`Coverage: ${coverage}`]),
      ...(backup === null ? [] : [`A corrupt state file is kept as ${detail.backup}`]),
    ],
    step: row,
    warnings: [...all.warnings, ...view.list?.warnings ?? []],
    data: { current: all.current, specs: [{ ...row, ...detail }] },
  };
}

/** A name in a table: bars would end the cell, line breaks the row. */
function cell(text: string): string {
  return bars(shownName(text));
}

function bars(text: string): string {
  return text.replaceAll("|", "\\|");
}
