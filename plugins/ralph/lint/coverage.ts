/** Which tasks implement which requirements. */

import { few } from "../failures.ts";
import type { Task, TaskList } from "../tasks.ts";
import { errorAt, type Found, warningAt } from "./finding.ts";
import type { Statement } from "./requirements.ts";

export interface CoverageRow {
  readonly id: string;
  readonly tasks: string[];
  /** Whether it has tasks, and all of them are ticked. */
  readonly done: boolean;
}

export interface Coverage {
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
export function coverageOf(statements: readonly Statement[], list: TaskList | null): Coverage {
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
export function lintCoverage(
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
