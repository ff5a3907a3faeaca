/**
 * Problems of a plan's files: duplicate ids, conflict markers, further entities, and what
 * cannot be read.
 *
 * @module
 */

import type { ConflictMarkers } from "../document.ts";
import type { PlanState, StoredFile, Unreadable } from "./plan_state.ts";

/** One problem. */
export interface PlanProblem {
  /** Its kind. */
  readonly type: "duplicate-id" | "conflict-markers" | "further-entity" | "unreadable";
  /** The file, relative to the plan. */
  readonly file: string;
  /** The id, where the file has one. */
  readonly id?: string;
  /** The file that has the same id. */
  readonly other?: string;
  /** The lines of the conflict markers. */
  readonly lines?: ConflictMarkers;
  /** The problem in a sentence. */
  readonly message: string;
}

/** The problems of a plan, in the order of the files. Needs every document. */
export function problemsOf(state: PlanState): PlanProblem[] {
  const unreadable = state.unreadable.map((one) => ({
    type: "unreadable" as const,
    file: one.file,
    message: unreadableSentence(one),
  }));
  return [...state.files.flatMap((one) => [...problemsIn(one, state)]), ...unreadable];
}

function* problemsIn({ file, entity, document }: StoredFile, state: PlanState) {
  const id = entity?.id;
  if (document.conflict !== undefined) {
    const { first, last } = document.conflict;
    yield {
      type: "conflict-markers" as const,
      file,
      ...(id === undefined ? {} : { id }),
      lines: document.conflict,
      message: `${file} has conflict markers in line ${first} and line ${last}`,
    };
  }
  const other = id === undefined ? undefined : state.allOf(id)[0]?.file;
  if (id !== undefined && other !== undefined && other !== file) {
    const message = `${id} duplicate ID — also defined in ${other}`;
    yield { type: "duplicate-id" as const, file, id, other, message };
  }
  // Both sides of a conflict may begin the same entity.
  for (const further of document.conflict === undefined ? document.further : []) {
    if (further.id === undefined) continue;
    const message = furtherSentence(further.id, file, id);
    yield { type: "further-entity" as const, file, id: further.id, message };
  }
}

/** Says why an entity that follows another in its file is not read, and what to do about it. */
export function furtherSentence(id: string, file: string, first: string | undefined): string {
  return `${id} is not read, because ${file} has ${
    first ?? "another entity"
  } before it; give it a file of its own`;
}

/** What could not be read, and why. */
export function unreadableSentence({ file, reason }: Unreadable): string {
  return `${file === "" ? "The plan's folder" : file} cannot be read: ${reason}`;
}
