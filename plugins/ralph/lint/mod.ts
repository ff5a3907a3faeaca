/** Lints the documents of a spec. */

import { DOCUMENT_PHASES, documentOf, type DocumentPhase } from "../phases.ts";
import { notWritten, type View } from "../view.ts";
import { type Coverage, coverageOf, lintCoverage } from "./coverage.ts";
import { errorAt, type Finding, warningAt } from "./finding.ts";
import { lintRequirements, type Statement, statementsOf } from "./requirements.ts";
import { lintTasks } from "./tasks.ts";

export interface LintResult {
  readonly findings: Finding[];
  readonly coverage: Coverage;
  /** The documents that exist. */
  readonly checked: string[];
}

export function lintSpec(view: View): LintResult {
  const { documents, list } = view;
  const statements = statementsOf(documents.requirements.text ?? "");
  const coverage = coverageOf(statements, list);
  const tasks = documentOf("tasks");
  return {
    findings: [
      ...DOCUMENT_PHASES.flatMap((phase) => lintFile(view, phase)),
      ...lintRequirements(documentOf("requirements"), statements),
      ...lintDesign(documents.design.text, statements),
      ...(list === null ? [] : lintTasks(tasks, list)),
      ...(list === null ? [] : lintCoverage(tasks, statements, list, coverage)),
    ],
    coverage,
    checked: DOCUMENT_PHASES.filter((phase) => documents[phase].text !== null).map(documentOf),
  };
}

/** Finds a document that cannot be read or was not written. */
function lintFile({ spec, documents }: View, phase: DocumentPhase): Finding[] {
  const { text, problem } = documents[phase];
  const file = documentOf(phase);
  if (problem !== null) return [errorAt(file, 0, "unreadable", problem.message)];
  const reason = text === null ? null : notWritten(phase, spec.name, text);
  return reason === null ? [] : [errorAt(file, 0, "not-written", `it is ${reason}`)];
}

/** Finds the functional requirements that the design does not name. */
function lintDesign(design: string | null, statements: readonly Statement[]): Finding[] {
  if (design === null) return [];
  const named = new Set(design.match(/\bFR-\d+\b/g));
  const file = documentOf("design");
  return statements.filter(({ id }) => id.startsWith("FR-") && !named.has(id))
    .map(({ id }) => warningAt(file, 0, "not-designed", `the design does not name ${id}`));
}
