/** `ralph_check`: lints the documents of a spec. */

import { counted } from "../../../src/tools/counted.ts";
import * as z from "zod";
import type { Tool } from "../../../src/tools/tool.ts";
import { brief } from "../failures.ts";
import { type CoverageRow, lintSpec, shownCoverage } from "../lint.ts";
import { shownName } from "../names.ts";
import { nextStep } from "../next.ts";
import { resolveSpec } from "../specs.ts";
import { ralphTool, specName } from "../tool.ts";
import { look } from "../view.ts";

/** How many findings and coverage rows an answer has, and tasks per row. */
const MAX_FINDINGS = 40;
const MAX_COVERAGE = 40;
const MAX_TASKS = 10;

export const check: Tool = ralphTool({
  name: "check",
  title: "Check a spec",
  description: "Lints the documents: ids, checks, task sizes, requirements without a task.",
  effect: "reads",
  input: z.strictObject({ spec_name: specName }),
  output: {
    ok: z.boolean(),
    total: z.int().describe("All findings"),
    findings: z.array(z.unknown()),
    coverage: z.looseObject({}),
  },
  run: ({ spec_name }, { project: { cwd } }) => {
    const view = look(resolveSpec(cwd, spec_name), spec_name !== undefined);
    const name = shownName(view.spec.name);
    const { findings, coverage, checked } = lintSpec(view);
    const errors = findings.filter((finding) => finding.severity === "error").length;
    const warnings = findings.length - errors;
    const shown = findings.slice(0, MAX_FINDINGS)
      .map((finding) => ({ ...finding, message: brief(finding.message) }));
    const covered = shownCoverage(coverage);
    return {
      spec: view.spec,
      message: `${name}: ${counted(errors, "error")}, ${counted(warnings, "warning")} in ${
        checked.join(", ") || "no documents"
      }`,
      facts: [
        ...shown.map(({ file, line, severity, rule, message }) =>
          `${file}${line > 0 ? `:${line}` : ""} ${severity} ${rule}: ${message}`
        ),
        ...(findings.length > shown.length ? [`… of ${findings.length} findings`] : []),
        ...(covered === null ? [] : [`Coverage: ${covered}`]),
      ],
      step: nextStep(view),
      warnings: checked.length === 0 ? [`'${name}' has no documents yet.`] : [],
      data: {
        ok: errors === 0,
        total: findings.length,
        findings: shown,
        coverage: {
          summary: covered,
          requirements: shortened(coverage.requirements),
          criteria: shortened(coverage.criteria),
          uncovered: coverage.uncovered.slice(0, MAX_COVERAGE),
        },
      },
    };
  },
});

function shortened(rows: readonly CoverageRow[]): CoverageRow[] {
  return rows.slice(0, MAX_COVERAGE)
    .map((row) => ({ ...row, tasks: row.tasks.slice(0, MAX_TASKS) }));
}
