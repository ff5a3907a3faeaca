/**
 * New dependencies between entities: checked together, and written into each entity that waits.
 *
 * @module
 */

import { RefraktError } from "../../src/errors.ts";
import type { McpHandlerContext } from "../../src/tools/plugin.ts";
import type { PlanPlugin } from "./commands.ts";
import { read } from "./document.ts";
import { editEntity } from "./edit_entity.ts";
import { editDocument } from "./edits.ts";
import type { Change } from "./edits/splices.ts";
import { unknownEntity } from "./failures.ts";
import { openPlan, type PlanView } from "./queries/access.ts";
import { dependenciesOf } from "./queries/dependencies.ts";

/** New dependencies of an entity, and those of others on it. */
export interface NewDependencies {
  /** The plan's directory, absolute. */
  readonly dir: string;
  /** The entity's id; that of a new one may not be known yet. */
  readonly id: string;
  readonly dependsOn: readonly string[];
  readonly blocks: readonly string[];
}

/**
 * Checks new dependencies, and tries those of other entities without writing.
 *
 * @returns Writes the dependencies of the others on an id, once the entity itself is written. If
 * one of them cannot be written, it takes back all of them, and the entity.
 * @throws {RefraktError} `NOT_FOUND` for an unknown id, `VALIDATION_ERROR` for the entity itself,
 * for a cycle, and for an entity that cannot be changed.
 */
export async function prepareDependencies(
  plugin: PlanPlugin,
  context: McpHandlerContext,
  wanted: NewDependencies,
): Promise<(id: string, undoEntity: () => void) => Promise<Change[]>> {
  const { dir, id, blocks } = wanted;
  const plan = await openPlan(context, dir, plugin);
  checkDependencies(plan, wanted);
  const editOf = (id: string) => ({ kind: "dependsOn", ids: [id] }) as const;
  for (const other of blocks) {
    editDocument(read(plan.store.source(plan.find(other)!.entity)), {}, [editOf(id)]);
  }
  return async (id, undoEntity) => {
    const changes: Change[] = [];
    const undo = [undoEntity];
    try {
      for (const other of blocks) {
        const change = { dir, id: other, edits: [editOf(id)] };
        const made = await editEntity(plugin, context, change);
        undo.unshift(made.undo);
        if (made.changes.length > 0) changes.push({ field: "blocks", old: "", new: other });
      }
      return changes;
    } catch (error) {
      for (const step of undo) {
        try {
          step();
        } catch {
          // The others are taken back all the same.
        }
      }
      throw error;
    }
  };
}

/** Refuses dependencies on unknown entities and on the entity itself, and cycles. */
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
