/**
 * The commands of the loaded plugin, as our tools call them.
 *
 * @module
 */

import type { McpHandlerContext } from "../../src/tools/plugin.ts";
import type { PlanEntity } from "./entity.ts";
import { planFailure } from "./failures.ts";
import { type LoadedPlan, withScan } from "./load.ts";
import type { PlanView } from "./queries/access.ts";

/** The plugin's own handler, of which the caller says what it answers. */
export type Original<Answer> = (
  input: Readonly<Record<string, unknown>>,
  context: McpHandlerContext,
) => Answer | Promise<Answer>;

/** A loaded version of the plugin, with its handlers. */
export interface PlanPlugin extends LoadedPlan {
  original<Answer>(command: string): Original<Answer>;
}

/**
 * Asks the plugin's handler, and makes coded errors of its own.
 *
 * @param command Its name.
 * @param input Without what only our command knows.
 * @param entities What it finds when it scans the plan.
 */
export async function askPlugin<Answer>(
  plugin: PlanPlugin,
  command: string,
  input: Readonly<Record<string, unknown>>,
  { state, store, dir }: PlanView,
  context: McpHandlerContext,
  entities: readonly PlanEntity[] = state.entities,
): Promise<Answer> {
  // The others look at the criteria of every entity.
  if (command !== "next") await state.readDocuments();
  try {
    return await withScan(
      () => entities,
      () => plugin.original<Answer>(command)({ ...input, dir }, context),
    );
  } catch (error) {
    throw planFailure(command, error, store);
  }
}
