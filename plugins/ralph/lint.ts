/** Lints the documents of a spec: its requirements, its tasks, and which tasks serve which. */

import { few } from "./failures.ts";
import { markdownLines } from "./markdown.ts";
import { DOCUMENT_PHASES, documentOf } from "./phases.ts";
import { notWritten, type Spec } from "./spec.ts";
import { isVerification, type Task, taskField, type TaskList } from "./tasks.ts";

interface Finding {
  readonly file: string;
  /** The line, from 1; 0 for the whole document. */
  readonly line: number;
  readonly severity: "error" | "warning";
  /** The stable name of the rule. */
  readonly rule: string;
  readonly message: string;
}

/** Adds a finding in the document that is linted. */
type Report = (severity: Finding["severity"], line: number, rule: string, message: string) => void;

/** Lints the documents that exist, and finds what the plan covers. */
export function lintSpec({ name, files, list }: Spec) {
  const statements = statementsOf(files["requirements.md"].text ?? "");
  const coverage = coverageOf(statements, list);
  const findings: Finding[] = [];
  const checked: string[] = [];
  for (const phase of DOCUMENT_PHASES) {
    const file = documentOf(phase);
    const { text, problem } = files[file];
    const report: Report = (severity, line, rule, message) =>
      findings.push({ file, line, severity, rule, message });
    if (problem !== null) report("error", 0, "unreadable", problem.message);
    if (text === null) continue;
    checked.push(file);
    const lack = notWritten(phase, name, text);
    if (lack !== null) report("error", 0, "not-written", `it is ${lack}`);
    if (phase === "requirements") lintRequirements(statements, report);
    if (phase === "tasks") {
      lintTasks(list!, report);
      for (const id of uncoveredIn(coverage)) {
        const severity = id.startsWith("NFR-") ? "warning" : "error";
        report(severity, 0, "uncovered", `no task names ${id}`);
      }
      if (statements.length > 0) lintReferences(statements, list!, report);
    }
  }
  return { findings, coverage, checked };
}

interface Statement {
  /** `US-1`, `AC-1.1`, `FR-1` or `NFR-1`. */
  readonly id: string;
  /** The line, from 1. */
  readonly line: number;
}

const DEFINITION =
  /^\s*(?:\||[-*+]\s+(?:\[[ xX]\]\s*)?|#{1,6}\s+|\d+\.\s+)?\s*\**((?:US|FR|NFR)-\d+|AC-\d+(?:\.\d+)*)\b/;

/** The statements of a text: lines, table rows and headings that begin with an id. */
function statementsOf(text: string): Statement[] {
  const { lines, isProse } = markdownLines(text);
  return lines.flatMap((line, index) => {
    const id = isProse[index] ? DEFINITION.exec(line)?.[1] : undefined;
    return id === undefined ? [] : [{ id, line: index + 1 }];
  });
}

function lintRequirements(statements: readonly Statement[], report: Report): void {
  for (const [id, [first, ...others]] of Map.groupBy(statements, ({ id }) => id)) {
    const message = `${id} is defined twice, first in line ${first!.line}`;
    for (const { line } of others) report("error", line, "duplicate-id", message);
  }
}

/** A task with more steps or files is too large. */
const MAX_STEPS = 10;
const MAX_FILES = 6;

const MANUAL =
  /\bmanual(?:ly)?\b|\bby hand\b|\bvisual(?:ly)? (?:check|inspect|verif)|\beyeball|\bask the user to (?:check|verify|test)\b|\blooks (?:right|good|ok)\b/i;

/** Commands that succeed whatever was done. */
const CANNOT_FAIL = /^(?:true|:|exit 0|echo\b[^;&|]*)$|\|\|\s*(?:true|:|exit 0)$/;

function lintTasks({ tasks, warnings }: TaskList, report: Report): void {
  if (tasks.length === 0) {
    const syntax = "no task is recognised; a task is a line such as: - [ ] 1.1 Title";
    report("error", 0, "no-tasks", syntax);
  }
  for (const warning of warnings) report("error", 0, "structure", warning);
  for (const task of tasks) lintTask(task, report);
}

function lintTask(task: Task, report: Report): void {
  const reportAs = (severity: Finding["severity"]) => (rule: string, message: string) =>
    report(severity, task.line + 1, rule, `${task.id} ${message}`);
  const [error, warn] = [reportAs("error"), reportAs("warning")];
  if (task.title === "") error("no-title", "has no title");
  const verify = taskField(task, "Verify") ?? "";
  if (!isVerification(task)) {
    if (verify === "" || /^none\b/i.test(verify)) error("no-verify", "has no Verify");
    for (const field of ["Do", "Files", "Done when"]) {
      const rule = `no-${field.toLowerCase().replace(" ", "-")}`;
      if (taskField(task, field) === null) warn(rule, `has no ${field}`);
    }
  }
  if (CANNOT_FAIL.test(verify.replaceAll("`", "").trim())) {
    error("no-verify", "has a Verify that cannot fail");
  }
  const manual = MANUAL.exec(`${task.title}\n${verify}`)?.[0];
  if (manual !== undefined) error("manual-verification", `requires manual work ("${manual}")`);
  const steps = taskField(task, "Do")?.match(/^\d+\.\s/gm)?.length ?? 0;
  if (steps > MAX_STEPS) warn("too-large", `has ${steps} steps; split it`);
  const files = taskField(task, "Files")?.match(/`[^`]+`|[^\s,;]+/g)?.length ?? 0;
  if (files > MAX_FILES) warn("too-large", `names ${files} files; split it`);
}

interface CoverageRow {
  readonly id: string;
  /** Whether a task names it. */
  readonly isPlanned: boolean;
  /** Whether tasks name it, and all of them are ticked. */
  readonly isDone: boolean;
}

/** The ids that no task names. */
export function uncoveredIn(coverage: readonly CoverageRow[]): string[] {
  return coverage.filter((row) => !row.isPlanned).map((row) => row.id);
}

const REFERENCE = /\b(?:(?:US|N?FR)-\d+|AC-\d+(?:\.\d+)*)/g;

const referencesOf = ({ block }: Task) => new Set(block.match(REFERENCE));

/** Finds the tasks of each statement; a task that names a story covers its criteria. */
function coverageOf(statements: readonly Statement[], list: TaskList | null): CoverageRow[] {
  const references = (list?.tasks ?? []).map((task) => ({ task, ids: referencesOf(task) }));
  const ids = new Set(statements.map(({ id }) => id).filter((id) => !id.startsWith("US-")));
  const isCriterion = (id: string) => Number(id.startsWith("AC-"));
  return [...ids].sort((a, b) => isCriterion(a) - isCriterion(b)).map((id) => {
    const story = id.replace(/^AC-(\d+).*$/, "US-$1");
    const serving = references.filter(({ ids }) => ids.has(id) || ids.has(story));
    const isPlanned = serving.length > 0;
    return { id, isPlanned, isDone: isPlanned && serving.every(({ task }) => task.done) };
  });
}

/** Finds references to undefined requirements. */
function lintReferences(statements: readonly Statement[], { tasks }: TaskList, report: Report) {
  const defined = new Set(statements.map(({ id }) => id));
  for (const task of tasks) {
    for (const id of referencesOf(task).difference(defined)) {
      const message = `${task.id} names ${id}, which requirements.md does not define`;
      report("error", task.line + 1, "unknown-reference", message);
    }
  }
}

/** The coverage as a sentence; `null` without a plan. */
export function coverageText(coverage: readonly CoverageRow[]): string | null {
  const uncovered = uncoveredIn(coverage);
  if (uncovered.length === coverage.length) return null;
  const part = (areCriteria: boolean, noun: string) => {
    const rows = coverage.filter(({ id }) => id.startsWith("AC-") === areCriteria);
    return `${rows.filter((row) => row.isDone).length} of ${rows.length} ${noun} done`;
  };
  const rest = uncovered.length === 0 ? "every one has a task" : `no task for ${few(uncovered)}`;
  return `${part(false, "requirements")}, ${part(true, "criteria")}; ${rest}`;
}
