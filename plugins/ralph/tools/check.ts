/**
 * `ralph_check`: what the documents of a spec lack, without asking a model.
 *
 * @module
 */

import { z } from "zod";
import type { CliPluginCommand } from "../../../src/tools/plugin.ts";
import { brief, count } from "../failures.ts";
import { type CoverageRow, shownCoverage } from "../lint/coverage.ts";
import { lintSpec } from "../lint/mod.ts";
import { shownName } from "../names.ts";
import { nextStep } from "../next.ts";
import { resolveSpec } from "../specs.ts";
import { type Answer, ralphTool, specName } from "../tool.ts";
import { look } from "../view.ts";

/** How many findings, rows and tasks a row an answer has. */
const MAX_FINDINGS = 40;
const MAX_COVERAGE = 40;
const MAX_TASKS = 10;

/** The tool. */
export const check: CliPluginCommand = ralphTool({
  name: "check",
  title: "Check",
  description: "Lints the documents: numbers, checks, size of tasks, requirements without a task.",
  effect: "reads",
  input: z.strictObject({ spec_name: specName }),
  output: { ok: "boolean", findings: "array", coverage: "object" },
  run: ({ spec_name }, { cwd }) => run(cwd, spec_name),
});

function run(cwd: string, wanted: string | undefined): Answer {
  const view = look(resolveSpec(cwd, wanted), wanted !== undefined);
  const name = shownName(view.spec.name);
  const { findings, coverage, checked } = lintSpec(view);
  const errors = findings.filter((finding) => finding.severity === "error").length;
  const shown = findings.slice(0, MAX_FINDINGS)
    .map((finding) => ({ ...finding, message: brief(finding.message) }));
  const more = findings.length - shown.length;
  const covered = shownCoverage(coverage);
  return {
    spec: view.spec,
    message: `${name}: ${count(errors, "error")}, ${
      count(findings.length - errors, "warning")
    } in ${checked.join(", ") || "no documents"}`,
    facts: [
      ...shown.map(({ file, line, severity, rule, message }) =>
        `${file}${line > 0 ? `:${line}` : ""} ${severity} ${rule}: ${message}`
      ),
      ...(more > 0 ? [`… and ${more} more`] : []),
      ...(covered === null ? [] : [`Coverage: ${covered}`]),
    ],
    step: nextStep(view),
    warnings: checked.length === 0 ? [`'${name}' has no documents yet.`] : [],
    data: {
      ok: errors === 0,
      findings: shown,
      coverage: {
        requirements: coverage.requirements.slice(0, MAX_COVERAGE).map(short),
        criteria: coverage.criteria.slice(0, MAX_COVERAGE).map(short),
        uncovered: coverage.uncovered.slice(0, MAX_COVERAGE),
      },
    },
  };
}

function short(row: CoverageRow): CoverageRow {
  return { ...row, tasks: row.tasks.slice(0, MAX_TASKS) };
}
