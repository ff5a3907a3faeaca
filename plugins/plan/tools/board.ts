/**
 * `plan.board`: the plan in numbers by status and type, and the tool that opens its view.
 *
 * @module
 */

import { z } from "zod";
import { planStamp } from "../../../src/project/plan.ts";
import type { CliPluginCommand, McpHandlerContext } from "../../../src/tools/plugin.ts";
import { withContent } from "../../../src/tools/result.ts";
import type { PlanPlugin } from "../commands.ts";
import { unknownEntity } from "../failures.ts";
import { readEvents } from "../history.ts";
import { openPlan, type PlanView, sourceOf } from "../queries/access.ts";
import { cardsOf, livesOf } from "../queries/board.ts";
import { groupItems } from "../queries/groups.ts";
import { dirArgument, READS } from "./command.ts";

/** The view that hosts of MCP Apps show for it. */
const VIEW = "ui://refrakt/plan-board";

/** The key of `_meta` under which a view finds what it asks for, whole. */
export const BOARD_META = "refrakt/board";

const Input = z.strictObject({
  show: z.string().optional().describe(
    `For views: cards, timeline or an id, in _meta["${BOARD_META}"]`,
  ),
  dir: dirArgument(),
});

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
    name: "board",
    title: "Plan board",
    description:
      "The plan as a board, in numbers by status and type; hosts with views show its cards. " +
      "plan.list gives the entities.",
    annotations: READS,
    inputSchema: Input,
    outputSchema: Output,
    mcpHandler: async ({ show, dir }: z.infer<typeof Input>, context) => {
      const plan = await openPlan(context, dir, plugin);
      const columns = groupItems(plan, plan.items, "status").map(({ key, count }) => ({
        status: key,
        count,
        types: Object.fromEntries(
          groupItems(plan, plan.items.filter((item) => item.status === key), "type")
            .map((group) => [group.key, group.count]),
        ),
      }));
      const stamp = await stampOf(plan.cwd, plan.dir);
      const board: z.infer<typeof Output> = { total: plan.items.length, columns, stamp };
      if (show === undefined) return board;
      const shown = await whatToShow(show, plan, context, plugin);
      return withContent([{ type: "text", text: JSON.stringify(board) }], board, {
        [BOARD_META]: shown,
      });
    },
    _meta: { ui: { resourceUri: VIEW }, "ui/resourceUri": VIEW },
  };
}

/** What a view shows, which is more than a model wants to read. */
async function whatToShow(
  show: string,
  plan: PlanView,
  context: McpHandlerContext,
  plugin: PlanPlugin,
): Promise<Record<string, unknown>> {
  if (show === "cards") {
    return { cards: cardsOf(plan), statuses: plan.vocabulary?.status ?? {} };
  }
  if (show === "timeline") {
    const { cwd, signal } = context;
    const { events, warnings } = await readEvents({ cwd, dir: plan.dir, signal }, plugin);
    return { lives: livesOf(plan, events), warnings };
  }
  const item = plan.find(show);
  if (item === undefined) throw unknownEntity(plan.store, show);
  const { tree } = await plugin.syntax();
  return { id: item.id, text: tree(sourceOf(plan, item), item.type) };
}

/** Changes with every change of the plan's files; a view asks for it to show what is new. */
async function stampOf(cwd: string, dir: string): Promise<string> {
  const text = new TextEncoder().encode(planStamp(cwd, dir));
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", text));
  return hash.toHex().slice(0, 16);
}
