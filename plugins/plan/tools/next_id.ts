/**
 * `plan.next-id`: the next free id of a type.
 *
 * @module
 */

import { z } from "zod";
import type { CliPluginCommand } from "../../../src/tools/plugin.ts";
import { askPlugin, type PlanPlugin } from "../commands.ts";
import { openPlan } from "../queries/access.ts";
import { dirArgument, planCommand, READS } from "./command.ts";

const Input = z.strictObject({
  type: z.enum(["work", "bug", "spec", "decision"]),
  dir: dirArgument(),
});

const Output = z.object({ nextId: z.string() });

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
      await plan.state.readDocuments();
      return await askPlugin(plugin, "next-id", { type }, plan, context, plan.store.numbered());
    },
  });
}
