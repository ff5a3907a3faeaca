/**
 * `ralph_check`: what the documents of a spec lack, without asking a model.
 *
 * @module
 */

import { z } from "zod";
import type { CliPluginCommand, McpHandlerContext } from "../../../src/surface/plugin.ts";
import { type TextResult, withText } from "../../../src/surface/result.ts";
import type { CoverageRow } from "../lint/coverage.ts";
import { lintSpec } from "../lint/mod.ts";
import { shownName } from "../names.ts";
import { callOf, describeSpec } from "../overview.ts";
import { follow, specName } from "../schemas.ts";
import { resolveSpec } from "../specs.ts";

/** How many findings, rows and tasks a row an answer has. */
const MAX_FINDINGS = 60;
const MAX_COVERAGE = 60;
const MAX_TASKS = 10;

const Input = z.strictObject({ spec_name: specName });

const Output = z.object({
  name: z.string(),
  ok: z.boolean(),
  findings: z.array(z.object({ rule: z.string(), message: z.string() })),
  coverage: z.object({ uncovered: z.array(z.string()) }),
  ...follow,
});

/** The tool. */
export const check: CliPluginCommand = {
  name: "check",
  toolName: "ralph_check",
  title: "Check the documents",
  description:
    "Lints a spec's documents: numbers, verification, size of tasks, and which requirement each task covers.",
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  inputSchema: Input,
  outputSchema: Output,
  mcpHandler: (input: z.output<typeof Input>, context) => run(input.spec_name, context),
};

function run(wanted: string | undefined, { cwd }: McpHandlerContext): TextResult {
  const spec = resolveSpec(cwd, wanted);
  const { findings, coverage, checked } = lintSpec(spec);
  const row = describeSpec(spec, wanted === undefined ? spec.name : null);
  const errors = findings.filter((finding) => finding.severity === "error").length;
  const shown = findings.slice(0, MAX_FINDINGS)
    .map((finding) => ({ ...finding, message: finding.message.slice(0, 300) }));
  const notes = checked.length === 0 ? [`'${shownName(spec.name)}' has no documents yet.`] : [];
  const text = [
    `${shownName(spec.name)}: ${errors} errors, ${findings.length - errors} warnings in ${
      checked.join(", ") || "no documents"
    }`,
    ...shown.map((finding) =>
      `- ${finding.file}${
        finding.line > 0 ? `:${finding.line}` : ""
      } ${finding.severity} ${finding.rule}: ${finding.message}`
    ),
    ...(findings.length > shown.length ? [`… and ${findings.length - shown.length} more`] : []),
    "",
    `Coverage: ${coverage.requirements.length} requirements, ${coverage.criteria.length} criteria, ${coverage.uncovered.length} without a task`,
    "",
    `Next: ${callOf(row.next, row.nextArgs)}`,
  ].join("\n");
  return withText(text, {
    name: spec.name,
    ok: errors === 0,
    errors,
    checked,
    findings: shown,
    moreFindings: findings.length - shown.length,
    coverage: {
      requirements: coverage.requirements.slice(0, MAX_COVERAGE).map(short),
      criteria: coverage.criteria.slice(0, MAX_COVERAGE).map(short),
      uncovered: coverage.uncovered.slice(0, MAX_COVERAGE),
    },
    next: row.next,
    nextArgs: row.nextArgs,
    warnings: notes,
  });
}

function short(row: CoverageRow): CoverageRow {
  return { ...row, tasks: row.tasks.slice(0, MAX_TASKS) };
}
