/**
 * The linter of a spec's documents: the same text gives the same findings, and no
 * model is asked.
 *
 * @module
 */

import { DOCUMENT_PHASES, documentOf, type DocumentPhase } from "../phases.ts";
import { notWritten, readDocument, type View } from "../view.ts";
import { type Coverage, coverageOf, lintCoverage } from "./coverage.ts";
import type { Finding } from "./finding.ts";
import { lintRequirements, statementsOf } from "./requirements.ts";
import { lintTasks } from "./tasks.ts";

/** What the linter found. */
export interface LintResult {
  /** The findings, in the order of the documents. */
  readonly findings: Finding[];
  /** Which requirement is served by which task. */
  readonly coverage: Coverage;
  /** The documents that were looked at. */
  readonly checked: string[];
}

/** Checks the documents that are there. */
export function lintSpec(view: View): LintResult {
  const { spec, list } = view;
  const findings: Finding[] = [];
  const checked: string[] = [];
  const texts: Partial<Record<DocumentPhase, string>> = {};
  for (const phase of DOCUMENT_PHASES) {
    const file = documentOf(phase);
    const whole = (rule: string, message: string) =>
      findings.push({ file, line: 0, severity: "error", rule, message });
    const { text, problem } = phase === "tasks" ? view.tasksFile : readDocument(spec, file);
    if (problem !== null) whole("unreadable", problem.message);
    if (text === null) continue;
    checked.push(file);
    texts[phase] = text;
    const reason = notWritten(phase, spec.name, text);
    if (reason !== null) whole("not-written", `it is ${reason}`);
  }
  const statements = statementsOf(texts.requirements ?? "");
  const add = (more: readonly Finding[]) => {
    for (const finding of more) findings.push(finding);
  };
  add(lintRequirements(documentOf("requirements"), statements));
  const named = new Set(texts.design?.match(/\bFR-\d+\b/g) ?? []);
  for (const { id } of texts.design === undefined ? [] : statements) {
    if (!/^FR-/.test(id) || named.has(id)) continue;
    findings.push({
      file: documentOf("design"),
      line: 0,
      severity: "warning",
      rule: "not-designed",
      message: `${id} is not named by the design`,
    });
  }
  const coverage = coverageOf(statements, list);
  if (list !== null) {
    add(lintTasks(documentOf("tasks"), list));
    add(lintCoverage(documentOf("tasks"), statements, list, coverage));
  }
  return { findings, coverage, checked };
}
