/**
 * `plan.board`: the plan in numbers by status and type, and the tool that opens its view.
 *
 * @module
 */

import { z } from "zod";
import { planStamp } from "../../../src/project/plan.ts";
import type { CliPluginCommand } from "../../../src/tools/plugin.ts";
import type { PlanPlugin } from "../commands.ts";
import { openPlan } from "../queries/access.ts";
import { groupItems } from "../queries/groups.ts";
import { dirArgument, planCommand, READS } from "./command.ts";

/** The view that hosts of MCP Apps show for it. */
const VIEW = "ui://refrakt/plan-board";

const Input = z.strictObject({ dir: dirArgument() });

const Output = z.object({
  total: z.int(),
  columns: z.array(z.object({
    status: z.string(),
    count: z.int(),
    types: z.record(z.string(), z.int()),
  })),
  stamp: z.string(),
});

/** Declares `plan.board`. */
export function boardCommand(plugin: PlanPlugin): CliPluginCommand {
  return {
    ...planCommand({
      name: "board",
      title: "Plan board",
      description:
        "The plan as a board, in numbers by status and type; hosts with views show its cards. " +
        "plan.list gives the entities.",
      annotations: READS,
      input: Input,
      output: Output,
      run: async ({ dir }, context): Promise<z.infer<typeof Output>> => {
        const plan = await openPlan(context, dir, plugin);
        const columns = groupItems(plan, plan.items, "status").map(({ key, count }) => ({
          status: key,
          count,
          types: Object.fromEntries(
            groupItems(plan, plan.items.filter((item) => item.status === key), "type")
              .map((group) => [group.key, group.count]),
          ),
        }));
        return { total: plan.items.length, columns, stamp: await stampOf(plan.cwd, plan.dir) };
      },
    }),
    _meta: { ui: { resourceUri: VIEW }, "ui/resourceUri": VIEW },
  };
}

/** Changes with every change of the plan's files; a view asks for it to show what is new. */
async function stampOf(cwd: string, dir: string): Promise<string> {
  const text = new TextEncoder().encode(planStamp(cwd, dir));
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", text));
  return hash.toHex().slice(0, 16);
}
