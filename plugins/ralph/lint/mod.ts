/**
 * The linter of a spec's documents: the same text gives the same findings, and no
 * model is asked.
 *
 * @module
 */

import { messageOf } from "../../../src/errors.ts";
import { readText } from "../files.ts";
import { readTasks } from "../overview.ts";
import { ARTIFACTS, type DocumentPhase } from "../phases.ts";
import { type Spec, specFile } from "../specs.ts";
import { isUntouched } from "../templates/mod.ts";
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
export function lintSpec(spec: Spec): LintResult {
  const findings: Finding[] = [];
  const checked: string[] = [];
  const texts: Partial<Record<DocumentPhase, string>> = {};
  for (const [phase, file] of Object.entries(ARTIFACTS) as [DocumentPhase, string][]) {
    try {
      const text = readText(spec.cwd, specFile(spec, file));
      if (text === null) continue;
      checked.push(file);
      texts[phase] = text;
      const whole = wholeFinding(phase, spec.name, text);
      if (whole !== null) {
        findings.push({ file, line: 0, severity: "error", rule: "not-written", message: whole });
      }
    } catch (error) {
      findings.push({
        file,
        line: 0,
        severity: "error",
        rule: "unreadable",
        message: messageOf(error),
      });
    }
  }
  const statements = statementsOf(texts.requirements ?? "");
  findings.push(...lintRequirements(ARTIFACTS.requirements, statements));
  if (texts.design !== undefined) {
    for (const { id } of statements) {
      if (/^FR-/.test(id) && !new RegExp(`\\b${id}\\b`).test(texts.design)) {
        findings.push({
          file: ARTIFACTS.design,
          line: 0,
          severity: "warning",
          rule: "not-designed",
          message: `${id} is not named by the design`,
        });
      }
    }
  }
  const { list } = readTasks(spec);
  const coverage = coverageOf(statements, list);
  if (list !== null) {
    findings.push(...lintTasks(ARTIFACTS.tasks, list));
    findings.push(...lintCoverage(ARTIFACTS.tasks, statements, list, coverage));
  }
  return { findings, coverage, checked };
}

/** What is wrong with a document as a whole, or `null`. */
export function wholeFinding(phase: DocumentPhase, name: string, text: string): string | null {
  if (text.trim() === "") return "it is empty";
  return isUntouched(phase, name, text) ? "it is still the template" : null;
}
