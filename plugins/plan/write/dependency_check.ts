/** Checks new dependencies: what they name exists, and no entity waits for itself. */

import { word } from "../../../src/plain_text.ts";
import { validationError } from "../entity/values.ts";
import { dependenciesOf } from "../store/plan.ts";
import { entitiesNamed, type PlanView } from "../queries/access.ts";
import { searchCycles } from "../queries/waits.ts";

/** How many entities of a cycle are named. */
const NAMED_OF_CYCLE = 20;

/** The dependencies of the entities that a call creates, by their ids. */
export type NewEntities = ReadonlyMap<string, readonly string[]>;

/** New dependencies of an entity, and of others on it. */
export interface NewDependencies {
  /** An empty list removes all. */
  readonly dependsOn?: readonly string[] | undefined;
  readonly blocks?: readonly string[] | undefined;
}

/**
 * Checks the new dependencies of an entity, and of others on it.
 *
 * @param plan Without the dependencies that the entity loses.
 * @param id Its id; it may be a new one.
 * @throws {RefraktError} `NOT_FOUND` for an unknown id, `VALIDATION_ERROR` for a self-dependency or a
 * cycle.
 */
export function checkDependencies(
  plan: PlanView,
  id: string,
  { dependsOn: gained = [], blocks = [] }: NewDependencies,
  created: NewEntities = new Map(),
): void {
  const added = new Map(created);
  for (const other of blocks) added.set(other, [id]);
  added.set(id, gained);
  const others = [...gained, ...blocks];
  if (others.includes(id)) {
    throw validationError(`${word(id)} cannot depend on itself`, "Name other entities.");
  }
  entitiesNamed(plan, others.filter((other) => !created.has(other)));
  const nextOf = (name: string) => {
    const entity = plan.find(name);
    const old = entity === undefined ? [] : dependenciesOf(entity);
    return [...old, ...added.get(name) ?? []];
  };
  // Each new cycle begins with a new dependency, or ends with a new dependent: one that exists does
  // not forbid the edit that ends it.
  const begins = (name: string) => name === id ? gained : nextOf(name);
  const ends = (name: string) =>
    blocks.includes(name) ? nextOf(name) : nextOf(name).filter((other) => other !== id);
  const reject = (path: readonly string[], start: number) => {
    if (start > 0) return;
    const more = path.length - NAMED_OF_CYCLE;
    const names = path.slice(0, NAMED_OF_CYCLE).map(word)
      .concat(more > 0 ? `${more} more` : [], word(id));
    const message = `The dependencies form a cycle: ${names.join(" → ")}`;
    const hint = "Each of them would wait for the others. Remove one of these dependencies first.";
    throw validationError(message, hint);
  };
  searchCycles([id], begins, reject);
  searchCycles([id], ends, reject);
}
