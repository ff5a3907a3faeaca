/** `ralph_check`: lints the documents of a spec. */

import * as z from "zod";
import { word } from "../../../src/plain_text.ts";
import { counted } from "../../../src/plugin/counted.ts";
import type { Tool } from "../../../src/plugin/tool.ts";
import { brief } from "../failures.ts";
import { findFolder } from "../folders.ts";
import { coverageParts, type CoverageRow, coverageText, lintSpec, uncoveredIn } from "../lint.ts";
import { nextStep } from "../next.ts";
import { readSpec } from "../spec.ts";
import { ralphTool, specName } from "../tool.ts";

/** How many findings and coverage rows an answer has, and tasks per row. */
const MAX_ROWS = 40;
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
    const spec = readSpec(findFolder(cwd, spec_name), spec_name !== undefined);
    const name = word(spec.name);
    const { findings, coverage, checked } = lintSpec(spec);
    const errors = findings.filter((finding) => finding.severity === "error").length;
    const counts = `${counted(errors, "error")}, ${counted(findings.length - errors, "warning")}`;
    const listed = findings.slice(0, MAX_ROWS)
      .map((finding) => ({ ...finding, message: brief(finding.message) }));
    const summary = coverageText(coverage);
    const { requirements, criteria } = coverageParts(coverage);
    return {
      spec,
      message: `${name}: ${counts} in ${checked.join(", ") || "no documents"}`,
      facts: [
        ...listed.map(({ file, line, severity, rule, message }) =>
          `${file}${line > 0 ? `:${line}` : ""} ${severity} ${rule}: ${message}`
        ),
        ...(findings.length > listed.length ? [`… of ${findings.length} findings`] : []),
        ...(summary === null ? [] : [`Coverage: ${summary}`]),
      ],
      step: nextStep(spec),
      warnings: checked.length === 0 ? [`'${name}' has no documents yet.`] : [],
      data: {
        ok: errors === 0,
        total: findings.length,
        findings: listed,
        coverage: {
          summary,
          requirements: shortened(requirements),
          criteria: shortened(criteria),
          uncovered: uncoveredIn(coverage).slice(0, MAX_ROWS),
        },
      },
    };
  },
});

function shortened(rows: readonly CoverageRow[]): CoverageRow[] {
  return rows.slice(0, MAX_ROWS)
    .map((row) => ({ ...row, tasks: row.tasks.slice(0, MAX_TASKS) }));
}
