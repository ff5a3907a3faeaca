/**
 * The refusals of writes where a merge is not finished, or two files have one id.
 *
 * @module
 */

import { RefraktError } from "../../../src/errors.ts";
import type { ConflictMarkers } from "../document.ts";
import type { PlanState } from "./plan_state.ts";

/** The error for a file with conflict markers. */
export function markersError(
  id: string,
  file: string,
  { first, last }: ConflictMarkers,
): RefraktError {
  return new RefraktError(
    "CONFLICT",
    `${id} has conflict markers: ${file}:${first} and ${file}:${last}`,
    {
      hint: "Resolve the merge in that file, and call again.",
      data: { file, lines: [first, last] },
    },
  );
}

/** The error for an id that several files have. */
export function duplicateError(id: string, files: readonly string[]): RefraktError {
  return new RefraktError(
    "CONFLICT",
    `${files.length} files have the id ${id}: ${files.join(", ")}`,
    {
      hint: "Give one of them another id with plan.renumber and its file, and call again.",
      data: { files },
    },
  );
}

/**
 * Refuses a write of the whole plan where one of its files is in conflict. Needs every document.
 *
 * @throws {RefraktError} `CONFLICT` for the first of them.
 */
export function refuseConflicts(state: PlanState): void {
  for (const { file, entity, document } of state.files) {
    const id = entity?.id;
    if (document.conflict !== undefined) throw markersError(id ?? file, file, document.conflict);
    const same = id === undefined ? [] : state.allOf(id);
    if (same.length > 1) throw duplicateError(id!, same.map((one) => one.file));
  }
}
