/** Calls the commands of the loaded plugin. */

import type { Entity, TakenId } from "../entity/entity.ts";
import { planFailure } from "../store/failures.ts";
import { withScan } from "../upstream/scans.ts";
import type { PlanView } from "./access.ts";

/**
 * Calls the plugin's handler and converts its errors to coded ones.
 *
 * @param input Only arguments that the plugin knows.
 * @param entities The entities that its scan of the plan returns.
 */
export async function askPlugin<Answer>(
  plan: PlanView,
  command: string,
  input: Readonly<Record<string, unknown>>,
  entities: readonly TakenId[] = plan.entities.map(scanned),
): Promise<Answer> {
  const { plugin, context, store, dir } = plan;
  try {
    return await withScan(
      () => entities,
      () => plugin.run<Answer>(command, { ...input, dir }, context),
    );
  } catch (error) {
    throw planFailure(command, error, store);
  }
}

/** An entity as the plugin's scan returns it: without a title, it has none. */
function scanned(entity: Entity): Entity {
  return entity.title === "" ? Object.create(entity, { title: {} }) : entity;
}
