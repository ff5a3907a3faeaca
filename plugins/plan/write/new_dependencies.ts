/** Adds dependencies between entities: checks them together, and prepares the writes. */

import { RefraktError } from "../../../src/errors.ts";
import { readForChange } from "../../../src/io/shared_files.ts";
import type { CallContext } from "../../../src/tools/context.ts";
import type { PlanPlugin } from "../queries/ask_plugin.ts";
import { read } from "../entity/document.ts";
import { editDocument } from "./edits.ts";
import { unknownEntity } from "../store/failures.ts";
import { lastPlan, type PlanView } from "../queries/access.ts";
import { dependenciesOf } from "../queries/dependencies.ts";
import { duplicateError, markersError } from "../store/problems.ts";
import type { FileWrite } from "./write_together.ts";

/** New dependencies of an entity, and of others on it. */
export interface NewDependencies {
  readonly dir: string;
  /** The entity's id; a placeholder if the entity is new. */
  readonly id: string;
  readonly dependsOn: readonly string[];
  readonly blocks: readonly string[];
}

/**
 * Checks new dependencies, and prepares the writes of the entities that depend on an id, to be
 * written with it. Sees the plan as of the last scan.
 *
 * @throws {RefraktError} `NOT_FOUND` for an unknown id, `VALIDATION_ERROR` for a self-dependency, a
 * cycle, or an entity that cannot be edited, `CONFLICT` for an id that occurs in two files.
 */
export type Blocking = (id: string) => FileWrite[];

/** Returns `undefined` if there are no new dependencies. */
export function newDependencies(
  plugin: PlanPlugin,
  context: CallContext,
  wanted: NewDependencies,
): Blocking | undefined {
  if (wanted.dependsOn.length + wanted.blocks.length === 0) return undefined;
  return (id) => {
    const plan = lastPlan(context, wanted.dir, plugin);
    const spelled = (ids: readonly string[]) => ids.map((one) => plan.state.spelled(one));
    const [dependsOn, blocks] = [spelled(wanted.dependsOn), spelled(wanted.blocks)];
    // A new entity has its id only now, and nothing depends on it yet.
    const own = plan.find(wanted.id) === undefined ? wanted.id : id;
    checkDependencies(plan, { ...wanted, id: own, dependsOn, blocks });
    return [...new Set(blocks)].flatMap((other): FileWrite[] => {
      const files = plan.state.allOf(other).map((one) => one.file);
      if (files.length > 1) throw duplicateError(other, files);
      const { file } = plan.find(other)!.entity;
      const seen = readForChange(plan.cwd, plan.store.path(file));
      const before = read(seen.text);
      if (before.conflict !== undefined) throw markersError(other, file, before.conflict);
      const { document, changes } = editDocument(before, {}, [{ kind: "dependsOn", ids: [id] }]);
      return changes.length === 0 ? [] : [{ seen, text: document.source, name: other }];
    });
  };
}

/** Rejects unknown ids, self-dependencies and cycles. */
function checkDependencies(plan: PlanView, { id, dependsOn, blocks }: NewDependencies): void {
  const added = new Map<string, readonly string[]>(blocks.map((other) => [other, [id]]));
  added.set(id, dependsOn);
  for (const other of [...dependsOn, ...blocks]) {
    if (other === id) {
      throw new RefraktError("VALIDATION_ERROR", `${id} cannot depend on itself`, {
        hint: "Name other entities.",
      });
    }
    if (plan.find(other) === undefined) throw unknownEntity(plan.store, other);
  }
  const seen = new Set<string>();
  const pathFrom = (from: string): string[] | undefined => {
    if (seen.has(from)) return undefined;
    seen.add(from);
    const item = plan.find(from);
    for (const next of [...(item ? dependenciesOf(item) : []), ...added.get(from) ?? []]) {
      const path = next === id ? [id] : pathFrom(next);
      if (path !== undefined) return [from, ...path];
    }
    return undefined;
  };
  const path = pathFrom(id);
  if (path === undefined) return;
  throw new RefraktError("VALIDATION_ERROR", `The dependencies form a cycle: ${path.join(" → ")}`, {
    hint: "Each of them would wait for the others. Remove one of these dependencies first.",
  });
}
