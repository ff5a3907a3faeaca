/**
 * Which requirement is served by which task.
 *
 * @module
 */

import { few } from "../failures.ts";
import type { TaskList } from "../tasks.ts";
import type { Finding } from "./finding.ts";
import type { Statement } from "./requirements.ts";

/** A statement and the tasks that name it. */
export interface CoverageRow {
  /** The number of the statement. */
  readonly id: string;
  /** The tasks that name it. */
  readonly tasks: string[];
  /** Whether it has tasks, and all of them are ticked. */
  readonly done: boolean;
}

/** The coverage of a spec. */
export interface Coverage {
  /** FR and NFR. */
  readonly requirements: CoverageRow[];
  /** Acceptance criteria. */
  readonly criteria: CoverageRow[];
  /** The numbers that no task names. */
  readonly uncovered: string[];
}

const REFERENCE = /\b(?:(?:US|N?FR)-\d+|AC-\d+(?:\.\d+)*)/g;

/** Looks up every statement in the tasks; a task that names a story serves its criteria. */
export function coverageOf(statements: readonly Statement[], list: TaskList | null): Coverage {
  const references = (list?.tasks ?? []).map((task) => ({
    task,
    ids: new Set(task.block.match(REFERENCE) ?? []),
  }));
  const rowOf = (id: string): CoverageRow => {
    const story = /^AC-(\d+)/.exec(id)?.[1];
    const serving = references.filter(({ ids }) =>
      ids.has(id) || story !== undefined && ids.has(`US-${story}`)
    );
    return {
      id,
      tasks: serving.map(({ task }) => task.id),
      done: serving.length > 0 && serving.every(({ task }) => task.done),
    };
  };
  const ids = [...new Set(statements.map((statement) => statement.id))];
  const requirements = ids.filter((id) => /^N?FR-/.test(id)).map(rowOf);
  const criteria = ids.filter((id) => id.startsWith("AC-")).map(rowOf);
  return {
    requirements,
    criteria,
    uncovered: [...requirements, ...criteria].filter((row) => row.tasks.length === 0)
      .map((row) => row.id),
  };
}

/** What the coverage says about the plan. */
export function lintCoverage(
  file: string,
  statements: readonly Statement[],
  list: TaskList,
  coverage: Coverage,
): Finding[] {
  if (statements.length === 0) return [];
  const known = new Set(statements.map((statement) => statement.id));
  const findings: Finding[] = coverage.uncovered.map((id) => ({
    file,
    line: 0,
    severity: id.startsWith("NFR-") ? "warning" : "error",
    rule: "uncovered",
    message: `${id} is named by no task`,
  }));
  for (const task of list.tasks) {
    const unknown = [...new Set(task.block.match(REFERENCE) ?? [])].filter((id) => !known.has(id));
    for (const id of unknown) {
      findings.push({
        file,
        line: task.line + 1,
        severity: "error",
        rule: "unknown-reference",
        message: `${task.id} names ${id}, which requirements.md does not define`,
      });
    }
  }
  return findings;
}

/** The coverage in a sentence: how much is done, and what no task names. */
export function shownCoverage({ requirements, criteria, uncovered }: Coverage): string | null {
  const rows = [...requirements, ...criteria];
  // Without a plan nothing can be covered yet.
  if (rows.every((row) => row.tasks.length === 0)) return null;
  const part = (rows: readonly CoverageRow[], noun: string) =>
    `${rows.filter((row) => row.done).length} of ${rows.length} ${noun} done`;
  const left = uncovered.length === 0 ? "every one has a task" : `no task for ${few(uncovered)}`;
  return `${part(requirements, "requirements")}, ${part(criteria, "criteria")}; ${left}`;
}
