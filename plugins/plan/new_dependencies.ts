/**
 * New dependencies between entities: checked together, and written into each entity that waits.
 *
 * @module
 */

import { RefraktError } from "../../src/errors.ts";
import { readForChange } from "../../src/io/shared_files.ts";
import type { McpHandlerContext } from "../../src/tools/plugin.ts";
import type { PlanPlugin } from "./commands.ts";
import { read } from "./document.ts";
import { editDocument } from "./edits.ts";
import { unknownEntity } from "./failures.ts";
import { openPlan, type PlanView } from "./queries/access.ts";
import { dependenciesOf } from "./queries/dependencies.ts";
import { duplicateError, markersError } from "./store/problems.ts";
import type { FileWrite } from "./store/write_together.ts";

/** New dependencies of an entity, and those of others on it. */
export interface NewDependencies {
  /** The plan's directory, absolute. */
  readonly dir: string;
  /** The entity's id; that of a new one may not be known yet. */
  readonly id: string;
  readonly dependsOn: readonly string[];
  readonly blocks: readonly string[];
}

/** Prepares the writes of the entities that an id blocks. */
export type Blocking = (id: string) => FileWrite[];

/**
 * Checks new dependencies, and tries those of other entities without writing.
 *
 * @returns Prepares the writes of the others for an id, to be written together with its entity.
 * @throws {RefraktError} `NOT_FOUND` for an unknown id, `VALIDATION_ERROR` for the entity itself,
 * for a cycle, and for an entity that cannot be changed, `CONFLICT` for one that two files have.
 */
export async function prepareDependencies(
  plugin: PlanPlugin,
  context: McpHandlerContext,
  wanted: NewDependencies,
): Promise<Blocking> {
  const plan = await openPlan(context, wanted.dir, plugin);
  checkDependencies(plan, wanted);
  const prepare = (id: string) =>
    [...new Set(wanted.blocks)].flatMap((other): FileWrite[] => {
      const files = plan.state.allOf(other).map((one) => one.file);
      if (files.length > 1) throw duplicateError(other, files);
      const { file } = plan.find(other)!.entity;
      const seen = readForChange(plan.cwd, plan.store.path(file));
      const before = read(seen.text);
      if (before.conflict !== undefined) throw markersError(other, file, before.conflict);
      const { document, changes } = editDocument(before, {}, [{ kind: "dependsOn", ids: [id] }]);
      return changes.length === 0 ? [] : [{ seen, text: document.source, name: other }];
    });
  prepare(wanted.id);
  return prepare;
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
