/** Reads the file of an entity in order to change it. */

import { readForChange, type SeenFile } from "../../../src/io/shared_files.ts";
import type { Entity } from "../entity/entity.ts";
import { type Document, read } from "../entity/document.ts";
import { entityNamed, type PlanView } from "../queries/access.ts";
import { duplicateError, markersError } from "../store/problems.ts";

/**
 * Reads the file of the only entity with an id.
 *
 * @throws {RefraktError} `NOT_FOUND`; `CONFLICT` if two files have the id, or it has conflict markers.
 */
export function fileOf(
  plan: PlanView,
  id: string,
): { item: Entity; seen: SeenFile; document: Document } {
  const item = entityNamed(plan, id);
  const same = plan.allOf(item.id);
  if (same.length > 1) throw duplicateError(item.id, same);
  const { file } = item;
  const seen = readForChange(plan.store.folder, plan.store.path(file));
  const document = read(seen.text);
  if (document.conflict !== undefined) throw markersError(item.id, file, document.conflict);
  return { item, seen, document };
}
