/**
 * `plan.next-id`: the next free id of a type.
 *
 * @module
 */

import { z } from "zod";
import type { CliPluginCommand, McpHandlerContext } from "../../../src/tools/plugin.ts";
import { askPlugin, type PlanPlugin } from "../commands.ts";
import { idsElsewhere } from "../ids_elsewhere.ts";
import { openPlan, type PlanView } from "../queries/access.ts";
import { inSlices } from "../store/slices.ts";
import { dirArgument, planCommand, READS, uncheckedPlaces } from "./command.ts";

const Input = z.strictObject({
  type: z.enum(["work", "bug", "spec", "decision"]),
  dir: dirArgument(),
});

const Output = z.object({ nextId: z.string(), unchecked: uncheckedPlaces() });

/** Declares `plan.next-id`. */
export function nextIdCommand(plugin: PlanPlugin): CliPluginCommand {
  return planCommand({
    name: "next-id",
    title: "Next free id",
    description: "Says which id the next spec, work item, bug or decision gets.",
    annotations: READS,
    input: Input,
    output: Output,
    run: async ({ type, dir }, context): Promise<z.infer<typeof Output>> => {
      const plan = await openPlan(context, dir, plugin);
      const { ids, unchecked } = await idsElsewhere(plan.store, context.signal);
      return {
        ...await nextFreeId(plugin, type, plan, context, ids),
        ...(unchecked.length === 0 ? {} : { unchecked: [...unchecked] }),
      };
    },
  });
}

/**
 * What the plugin answers: the next id of a type that no entity has.
 *
 * @param elsewhere The ids that are taken outside the plan's files.
 */
export async function nextFreeId(
  plugin: PlanPlugin,
  type: string,
  plan: PlanView,
  context: McpHandlerContext,
  elsewhere: ReadonlyMap<string, string>,
): Promise<{ nextId: string }> {
  await inSlices(plan.state.readDocuments());
  const taken = plan.store.numbered(elsewhere);
  return await askPlugin(plugin, "next-id", { type }, plan, context, taken);
}
