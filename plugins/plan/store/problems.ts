/**
 * What is wrong with the files of a plan, whatever their entities say.
 *
 * @module
 */

import type { ConflictMarkers } from "../conflicts.ts";
import type { FileRow } from "./file_rows.ts";
import type { Unreadable } from "./table.ts";

/** One thing that is wrong. */
export interface PlanProblem {
  /** What it is. */
  readonly type: "duplicate-id" | "conflict-markers" | "further-entity" | "unreadable";
  /** The file, relative to the plan. */
  readonly file: string;
  /** The id, where the file has one. */
  readonly id?: string;
  /** The file that has the same id. */
  readonly other?: string;
  /** Where the markers stand. */
  readonly lines?: ConflictMarkers;
  /** It in a sentence. */
  readonly message: string;
}

/** The problems of a plan, in the order of the files. */
export function problemsOf(
  rows: readonly FileRow[],
  byId: ReadonlyMap<string, readonly FileRow[]>,
  unreadable: Iterable<Unreadable>,
): PlanProblem[] {
  const problems: PlanProblem[] = [];
  for (const { file, entity, conflict, further } of rows) {
    const id = entity?.id;
    const named = id === undefined ? {} : { id };
    if (conflict !== undefined) {
      problems.push({
        type: "conflict-markers",
        file,
        ...named,
        lines: conflict,
        message: `${file} has conflict markers in line ${conflict.first} and line ${conflict.last}`,
      });
    }
    const first = id === undefined ? undefined : byId.get(id)?.[0];
    if (id !== undefined && first !== undefined && first.file !== file) {
      problems.push({
        type: "duplicate-id",
        file,
        id,
        other: first.file,
        message: `${id} duplicate ID — also defined in ${first.file}`,
      });
    }
    for (const id of further) {
      problems.push({
        type: "further-entity",
        file,
        id,
        message: furtherSentence(id, file, entity?.id),
      });
    }
  }
  for (const one of unreadable) {
    problems.push({ type: "unreadable", file: one.file, message: unreadableSentence(one) });
  }
  return problems;
}

/** Where an entity stands that is not read, and what to do about it. */
export function furtherSentence(id: string, file: string, first: string | undefined): string {
  return `${id} is not read, because ${file} has ${
    first ?? "another entity"
  } before it; give it a file of its own`;
}

/** What could not be read, and why. */
export function unreadableSentence({ file, reason }: Unreadable): string {
  return `${file === "" ? "The plan's folder" : file} cannot be read: ${reason}`;
}
