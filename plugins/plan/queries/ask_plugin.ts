/** Calls the commands of the loaded plugin. */

import type { PlanEntity } from "../entity/entity.ts";
import { planFailure } from "../store/failures.ts";
import { withScan } from "../upstream/load.ts";
import type { PlanView } from "./access.ts";

/**
 * Calls the plugin's handler and converts its errors to coded ones.
 *
 * @param input Only arguments that the plugin knows.
 * @param entities The entities that its scan of the plan returns.
 */
export async function askPlugin<Answer>(
  { plugin, context, state, store, dir }: PlanView,
  command: string,
  input: Readonly<Record<string, unknown>>,
  entities: readonly PlanEntity[] = state.entities,
): Promise<Answer> {
  // The commands read the criteria of every entity.
  await state.readDocuments();
  try {
    return await withScan(
      () => entities,
      () => plugin.original<Answer>(command)({ ...input, dir }, context),
    );
  } catch (error) {
    throw planFailure(command, error, store);
  }
}
