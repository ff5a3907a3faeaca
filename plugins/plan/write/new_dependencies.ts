/** Adds dependencies between entities: checks them together, and prepares the writes. */

import { word } from "../../../src/plain_text.ts";
import { RefraktError } from "../../../src/errors.ts";
import { entitiesNamed, lastPlan, type PlanView } from "../queries/access.ts";
import { searchCycles } from "../queries/cycles.ts";
import { dependenciesOf } from "../queries/dependencies.ts";
import type { PlanPlace } from "../store/place.ts";
import { editDocument } from "./edits.ts";
import { fileOf } from "./entity_file.ts";
import type { FileWrite } from "../../../src/io/write_together.ts";

/** How many entities of a cycle are named. */
const MOST_NAMED = 20;

/** New dependencies of an entity, and of others on it. */
export interface NewDependencies {
  readonly dependsOn?: readonly string[] | undefined;
  readonly blocks?: readonly string[] | undefined;
}

/** The write of an entity by its id. */
export type NamedWrite = FileWrite & { readonly text: string; readonly name: string };

/**
 * Checks new dependencies, and prepares the writes of the entities that depend on an id, to be
 * written with it. Sees the plan as of the last scan.
 *
 * @param id The entity's id; it may be a new one.
 * @throws {RefraktError} `NOT_FOUND` for an unknown id, `VALIDATION_ERROR` for a self-dependency, a
 * cycle, or an entity that cannot be edited, `CONFLICT` for an id that occurs in two files.
 */
export function newDependencies(
  place: PlanPlace,
  id: string,
  { dependsOn = [], blocks = [] }: NewDependencies,
): NamedWrite[] {
  if (dependsOn.length + blocks.length === 0) return [];
  const plan = lastPlan(place);
  const spelled = (ids: readonly string[]) => [
    ...new Set(ids.map((one) => plan.spelled(one))),
  ];
  const blocked = spelled(blocks);
  checkDependencies(plan, id, spelled(dependsOn), blocked);
  return blocked.flatMap((name): NamedWrite[] => {
    const { seen, document: before } = fileOf(plan, name);
    const { document, changes } = editDocument(before, {}, [{ kind: "dependsOn", ids: [id] }]);
    return changes.length === 0 ? [] : [{ seen, text: document.source, name }];
  });
}

/** Rejects unknown ids, self-dependencies and cycles. */
function checkDependencies(
  plan: PlanView,
  id: string,
  dependsOn: readonly string[],
  blocks: readonly string[],
): void {
  const added = new Map<string, readonly string[]>(blocks.map((other) => [other, [id]]));
  added.set(id, dependsOn);
  const others = [...dependsOn, ...blocks];
  if (others.includes(id)) {
    throw new RefraktError("VALIDATION_ERROR", `${word(id)} cannot depend on itself`, {
      hint: "Name other entities.",
    });
  }
  entitiesNamed(plan, others);
  const nextOf = (name: string) => {
    const item = plan.find(name);
    return [...(item ? dependenciesOf(item) : []), ...added.get(name) ?? []];
  };
  searchCycles([id], nextOf, (path, start) => {
    if (start > 0) return;
    const more = path.length - MOST_NAMED;
    const names = path.slice(0, MOST_NAMED).map(word)
      .concat(more > 0 ? `${more} more` : [], word(id));
    throw new RefraktError(
      "VALIDATION_ERROR",
      `The dependencies form a cycle: ${names.join(" → ")}`,
      {
        hint: "Each of them would wait for the others. Remove one of these dependencies first.",
      },
    );
  });
}
