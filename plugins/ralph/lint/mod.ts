/** Lints the documents of a spec. */

import { DOCUMENT_PHASES, documentOf, type DocumentPhase } from "../phases.ts";
import { notWritten, type View } from "../view.ts";
import { type Coverage, coverageOf, lintCoverage } from "./coverage.ts";
import { errorAt, type Finding, type Found } from "./finding.ts";
import { lintRequirements, statementsOf } from "./requirements.ts";
import { lintTasks } from "./tasks.ts";

interface LintResult {
  readonly findings: Finding[];
  readonly coverage: Coverage;
  /** The documents that exist. */
  readonly checked: string[];
}

export function lintSpec(view: View): LintResult {
  const { documents, list } = view;
  const statements = statementsOf(documents.requirements.text ?? "");
  const coverage = coverageOf(statements, list);
  const rules: Readonly<Partial<Record<DocumentPhase, Found[]>>> = {
    requirements: lintRequirements(statements),
    ...(list && { tasks: [...lintTasks(list), ...lintCoverage(statements, list, coverage)] }),
  };
  return {
    findings: DOCUMENT_PHASES.flatMap((phase) =>
      [...lintFile(view, phase), ...rules[phase] ?? []]
        .map((found) => ({ file: documentOf(phase), ...found }))
    ),
    coverage,
    checked: DOCUMENT_PHASES.filter((phase) => documents[phase].text !== null).map(documentOf),
  };
}

/** Finds a document that cannot be read or was not written. */
function lintFile({ spec, documents }: View, phase: DocumentPhase): Found[] {
  const { text, problem } = documents[phase];
  if (problem !== null) return [errorAt(0, "unreadable", problem.message)];
  const reason = text === null ? null : notWritten(phase, spec.name, text);
  return reason === null ? [] : [errorAt(0, "not-written", `it is ${reason}`)];
}
