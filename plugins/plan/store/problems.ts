/**
 * Problems of a plan's files: duplicate ids, conflict markers, further entities, and what
 * cannot be read.
 *
 * @module
 */

import type { PlanState, StoredFile, Unreadable } from "./plan_state.ts";

/** One problem, in the form of the plugin's own. */
export interface PlanProblem {
  /** Its kind. */
  readonly type: "duplicate-id" | "conflict-markers" | "further-entity" | "unreadable";
  /** An entity that is not read does no harm to those that are. */
  readonly severity: "error" | "warning";
  /** The id, or the file where it has none. */
  readonly source: string;
  /** The file, relative to the plan. */
  readonly file: string;
  /** The file that has the same id. */
  readonly target?: string;
  /** The problem in a sentence. */
  readonly message: string;
}

/** The problems of a plan, in the order of the files. Needs every document. */
export function problemsOf(state: PlanState): PlanProblem[] {
  const unreadable = state.unreadable.map((one) => ({
    type: "unreadable" as const,
    severity: "error" as const,
    source: one.file,
    file: one.file,
    message: unreadableSentence(one),
  }));
  return [...state.files.flatMap((one) => [...problemsIn(one, state)]), ...unreadable];
}

function* problemsIn(
  { file, entity, document }: StoredFile,
  state: PlanState,
): Generator<PlanProblem> {
  const { conflict, further } = document;
  const id = entity?.id;
  const source = id ?? file;
  if (conflict !== undefined) {
    const message =
      `${file} has conflict markers in line ${conflict.first} and line ${conflict.last}`;
    yield { type: "conflict-markers", severity: "error", source, file, message };
  }
  const target = id === undefined ? undefined : state.allOf(id)[0]?.file;
  if (target !== undefined && target !== file) {
    const message = `${id} duplicate ID — also defined in ${target}`;
    yield { type: "duplicate-id", severity: "error", source, file, target, message };
  }
  // Both sides of a conflict may begin the same entity.
  for (const { id: hidden } of conflict === undefined ? further : []) {
    if (hidden === undefined) continue;
    const message = furtherSentence(hidden, file, id);
    yield { type: "further-entity", severity: "warning", source: hidden, file, message };
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
