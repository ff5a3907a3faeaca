/**
 * The plugin's own answer to a command.
 *
 * @module
 */

import type { McpHandlerContext } from "../../../src/tools/plugin.ts";
import type { PlanPlugin } from "../commands.ts";
import { planFailure } from "../failures.ts";
import type { PlanView } from "../queries/access.ts";
import { inSlices } from "../store/slices.ts";

/**
 * Asks the plugin's handler, and makes coded errors of its own.
 *
 * @param command Its name.
 * @param input Without what only our command knows.
 */
export async function askPlugin<Answer>(
  plugin: PlanPlugin,
  command: string,
  input: Record<string, unknown>,
  { state, store, dir }: PlanView,
  context: McpHandlerContext,
): Promise<Answer> {
  // The others look at the criteria of every entity.
  if (command !== "next") await inSlices(state.readDocuments());
  try {
    // The plugin's answers are its own; the tools' output schemas say what is relied on.
    return await plugin.withScan(
      () => state.entities,
      () => plugin.original<Answer>(command)({ ...input, dir }, context),
    );
  } catch (error) {
    throw planFailure(command, error, store);
  }
}
