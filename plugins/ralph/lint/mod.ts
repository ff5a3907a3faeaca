/**
 * Lints the documents of a spec.
 *
 * @module
 */

import { DOCUMENT_PHASES, documentOf } from "../phases.ts";
import { notWritten, type View } from "../view.ts";
import { type Coverage, coverageOf, lintCoverage } from "./coverage.ts";
import type { Finding } from "./finding.ts";
import { lintRequirements, type Statement, statementsOf } from "./requirements.ts";
import { lintTasks } from "./tasks.ts";

/** The result for a spec. */
export interface LintResult {
  readonly findings: Finding[];
  readonly coverage: Coverage;
  /** The documents that exist. */
  readonly checked: string[];
}

/** Lints the documents that exist. */
export function lintSpec({ spec, documents, list }: View): LintResult {
  const findings: Finding[] = [];
  const checked: string[] = [];
  for (const phase of DOCUMENT_PHASES) {
    const file = documentOf(phase);
    const { text, problem } = documents[phase];
    const found = (rule: string, message: string) =>
      findings.push({ file, line: 0, severity: "error", rule, message });
    if (problem !== null) found("unreadable", problem.message);
    if (text === null) continue;
    checked.push(file);
    const reason = notWritten(phase, spec.name, text);
    if (reason !== null) found("not-written", `it is ${reason}`);
  }
  const statements = statementsOf(documents.requirements.text ?? "");
  const coverage = coverageOf(statements, list);
  findings.push(
    ...lintRequirements(documentOf("requirements"), statements),
    ...lintDesign(documents.design.text, statements),
  );
  if (list !== null) {
    const file = documentOf("tasks");
    findings.push(...lintTasks(file, list), ...lintCoverage(file, statements, list, coverage));
  }
  return { findings, coverage, checked };
}

/** Finds the functional requirements that the design does not name. */
function lintDesign(design: string | null, statements: readonly Statement[]): Finding[] {
  if (design === null) return [];
  const named = new Set(design.match(/\bFR-\d+\b/g));
  return statements.filter(({ id }) => id.startsWith("FR-") && !named.has(id)).map(({ id }) => ({
    file: documentOf("design"),
    line: 0,
    severity: "warning",
    rule: "not-designed",
    message: `the design does not name ${id}`,
  }));
}
