/** Lints the documents of a spec: its requirements, its tasks, and which tasks serve which. */

import { few } from "./failures.ts";
import { markdownLines } from "./markdown.ts";
import { DOCUMENT_PHASES, documentOf, type DocumentPhase } from "./phases.ts";
import { filesOf, isVerification, type Task, taskField, type TaskList } from "./tasks.ts";
import { notWritten, type View } from "./view.ts";

interface Finding {
  readonly file: string;
  /** The line, from 1; 0 for the whole document. */
  readonly line: number;
  readonly severity: "error" | "warning";
  /** The stable name of the rule. */
  readonly rule: string;
  readonly message: string;
}

/** A finding in the document that a rule is about. */
type Found = Omit<Finding, "file">;

function errorAt(line: number, rule: string, message: string): Found {
  return { line, severity: "error", rule, message };
}

function warningAt(line: number, rule: string, message: string): Found {
  return { line, severity: "warning", rule, message };
}

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

interface Statement {
  /** `US-1`, `AC-1.1`, `FR-1` or `NFR-1`. */
  readonly id: string;
  /** The line, from 1. */
  readonly line: number;
  /** The whole line. */
  readonly text: string;
}

const DEFINITION =
  /^\s*(?:\||[-*+]\s+(?:\[[ xX]\]\s*)?|#{1,6}\s+|\d+\.\s+)?\s*\**((?:US|FR|NFR)-\d+|AC-\d+(?:\.\d+)*)\b/;

/** The statements of a text: lines, table rows and headings that begin with an id. */
export function statementsOf(text: string): Statement[] {
  const { lines, isProse } = markdownLines(text);
  return lines.flatMap((line, index) => {
    const id = isProse[index] ? DEFINITION.exec(line)?.[1] : undefined;
    return id === undefined ? [] : [{ id, line: index + 1, text: line }];
  });
}

function lintRequirements(statements: readonly Statement[]): Found[] {
  return [...Map.groupBy(statements, ({ id }) => id)].flatMap(([id, [first, ...others]]) =>
    others.map(({ line }) =>
      errorAt(line, "duplicate-id", `${id} is defined twice, first in line ${first!.line}`)
    )
  );
}

/** A task with more steps or files is too large. */
const MAX_STEPS = 10;
const MAX_FILES = 6;

const MANUAL =
  /\bmanual(?:ly)?\b|\bby hand\b|\bvisual(?:ly)? (?:check|inspect|verif)|\beyeball|\bask the user to (?:check|verify|test)\b|\blooks (?:right|good|ok)\b/i;

/** Commands that succeed whatever was done. */
const CANNOT_FAIL = /^(?:true|:|exit 0|echo\b[^;&|]*)$|\|\|\s*(?:true|:|exit 0)$/;

function lintTasks(list: TaskList): Found[] {
  const syntax = "no task is recognised; a task is a line such as: - [ ] 1.1 Title";
  return [
    ...(list.tasks.length === 0 ? [errorAt(0, "no-tasks", syntax)] : []),
    ...list.warnings.map((warning) => errorAt(0, "structure", warning)),
    ...list.tasks.flatMap((task) => lintTask(task)),
  ];
}

function lintTask(task: Task): Found[] {
  const findings: Found[] = [];
  const error = (rule: string, message: string) =>
    findings.push(errorAt(task.line + 1, rule, `${task.id} ${message}`));
  const warn = (rule: string, message: string) =>
    findings.push(warningAt(task.line + 1, rule, `${task.id} ${message}`));
  if (task.title === "") error("no-title", "has no title");
  const verify = taskField(task, "Verify") ?? "";
  if (!isVerification(task)) {
    if (verify === "" || /^none\b/i.test(verify)) error("no-verify", "has no Verify");
    if (taskField(task, "Do") === null) warn("no-do", "has no Do");
    if (taskField(task, "Files") === null) warn("no-files", "has no Files");
    if (taskField(task, "Done when") === null) warn("no-done-when", "has no Done when");
  }
  if (CANNOT_FAIL.test(verify.replaceAll("`", "").trim())) {
    error("no-verify", "has a Verify that cannot fail");
  }
  const manual = MANUAL.exec(`${task.title}\n${verify}`)?.[0];
  if (manual !== undefined) error("manual-verification", `requires manual work ("${manual}")`);
  const steps = taskField(task, "Do")?.match(/^\d+\.\s/gm)?.length ?? 0;
  if (steps > MAX_STEPS) warn("too-large", `has ${steps} steps; split it`);
  const files = filesOf(task).length;
  if (files > MAX_FILES) warn("too-large", `names ${files} files; split it`);
  return findings;
}

export interface CoverageRow {
  readonly id: string;
  readonly tasks: string[];
  /** Whether it has tasks, and all of them are ticked. */
  readonly done: boolean;
}

interface Coverage {
  /** FR and NFR. */
  readonly requirements: CoverageRow[];
  /** Acceptance criteria. */
  readonly criteria: CoverageRow[];
  /** The ids that no task names. */
  readonly uncovered: string[];
}

const REFERENCE = /\b(?:(?:US|N?FR)-\d+|AC-\d+(?:\.\d+)*)/g;

function referencesOf(task: Task): Set<string> {
  return new Set(task.block.match(REFERENCE));
}

/** Finds the tasks of each statement; a task that names a story covers its criteria. */
function coverageOf(statements: readonly Statement[], list: TaskList | null): Coverage {
  const references = (list?.tasks ?? []).map((task) => ({ task, ids: referencesOf(task) }));
  const rowsOf = (pattern: RegExp) => {
    const ids = new Set(statements.map(({ id }) => id).filter((id) => pattern.test(id)));
    return [...ids].map((id): CoverageRow => {
      const story = id.replace(/^AC-(\d+).*$/, "US-$1");
      const serving = references.filter(({ ids }) => ids.has(id) || ids.has(story));
      return {
        id,
        tasks: serving.map(({ task }) => task.id),
        done: serving.length > 0 && serving.every(({ task }) => task.done),
      };
    });
  };
  const requirements = rowsOf(/^N?FR-/);
  const criteria = rowsOf(/^AC-/);
  const uncovered = [...requirements, ...criteria].filter((row) => row.tasks.length === 0);
  return { requirements, criteria, uncovered: uncovered.map((row) => row.id) };
}

/** Finds requirements without a task, and references to undefined requirements. */
function lintCoverage(
  statements: readonly Statement[],
  list: TaskList,
  coverage: Coverage,
): Found[] {
  if (statements.length === 0) return [];
  const known = new Set(statements.map((statement) => statement.id));
  const uncovered = coverage.uncovered.map((id) => {
    const finding = id.startsWith("NFR-") ? warningAt : errorAt;
    return finding(0, "uncovered", `no task names ${id}`);
  });
  const unknown = list.tasks.flatMap((task) =>
    [...referencesOf(task)].filter((id) => !known.has(id)).map((id) => {
      const message = `${task.id} names ${id}, which requirements.md does not define`;
      return errorAt(task.line + 1, "unknown-reference", message);
    })
  );
  return [...uncovered, ...unknown];
}

/** The coverage as a sentence; `null` without a plan. */
export function shownCoverage({ requirements, criteria, uncovered }: Coverage): string | null {
  if ([...requirements, ...criteria].every((row) => row.tasks.length === 0)) return null;
  const part = (rows: readonly CoverageRow[], noun: string) =>
    `${rows.filter((row) => row.done).length} of ${rows.length} ${noun} done`;
  const left = uncovered.length === 0 ? "every one has a task" : `no task for ${few(uncovered)}`;
  return `${part(requirements, "requirements")}, ${part(criteria, "criteria")}; ${left}`;
}
