/**
 * `plan_next`: the next items to take up, with the titles of their references, and why other items
 * are withheld.
 */

import * as z from "zod";
import { pathOf } from "../queries/access.ts";
import { askPlugin } from "../queries/plugin_answers.ts";
import { itemsInScope, readAvailability } from "../queries/availability.ts";
import { uncheckedSentence } from "../queries/elsewhere.ts";
import { lookAhead, offeredRow, offerNotes, readyRow, withheldRow } from "../queries/offers.ts";
import { openCount } from "../queries/progress.ts";
import { isSound } from "../queries/waits.ts";
import {
  detailArgument,
  namedEntities,
  namedEntity,
  offeredItem,
  uncheckedPlaces,
} from "../tool_parts/fields.ts";
import { readTool } from "../tool_parts/plan_tool.ts";
import { unlessEmpty } from "../../../src/io/json.ts";

/** How many withheld items are explained. */
const EXPLAINED = 8;

const AHEAD = {
  ahead: z.array(z.object({
    ...namedEntity,
    step: z.int(),
    after: z.array(z.string()).optional(),
    reason: z.string().optional(),
  })).optional().describe("Once those before are finished, and the status is ready"),
  longestChain: namedEntities(),
  cycles: z.array(z.array(z.string())).optional().describe("Each waits for the next"),
  leftOut: z.array(z.string()).optional(),
};

const NextOutput = z.object({
  items: z.array(offeredItem.extend({
    openCriteria: z.int().optional().describe("Of several items, in place of the texts"),
  })),
  drafts: namedEntities(),
  withheld: z.int().optional(),
  withheldItems: z.array(z.object({
    ...namedEntity,
    reason: z.string(),
  })).optional(),
  note: z.string().optional(),
  unchecked: uncheckedPlaces(),
  ...AHEAD,
});

type NextAnswer = z.infer<typeof NextOutput>;

export const nextTool = readTool({
  name: "plan_next",
  listed: { with: ["plan"], rank: 1 },
  title: "Find the next work item",
  description:
    "The next tasks of the backlog: ready work items and bugs (issues, tickets, todos), the " +
    "most important first.",
  input: {
    type: z.enum(["work", "bug", "all"]).optional().describe("Default: all"),
    milestone: z.string().optional().describe("Filter"),
    tag: z.string().optional().describe("Filter"),
    assignee: z.string().optional().describe("Filter"),
    count: z.int().min(1).max(100).optional().describe("Default 1"),
    explain: z.boolean().optional().describe("Why ready items are withheld"),
    ahead: z.int().min(1).max(100).optional().describe("Steps to look ahead"),
    detail: detailArgument(),
  },
  output: NextOutput,
  run: async (input, plan): Promise<NextAnswer> => {
    const { explain = false, ahead, detail, count = 1, ...scope } = input;
    const items = new Set(itemsInScope(plan, scope));
    const later: Partial<NextAnswer> = ahead === undefined
      ? {}
      : lookAhead(plan, (item) => items.has(item), ahead);
    if (detail === "full") {
      const all = await askPlugin<NextAnswer>(plan, "next", { count: plan.entities.length + 1 });
      const offered = all.items.filter(({ id }) => {
        const item = plan.find(id)!;
        return items.has(item) && isSound(plan, item);
      });
      return { ...all, items: offered.slice(0, count), ...later };
    }
    const available = await readAvailability(plan, scope);
    const { offered, withheld, taken } = available;
    const more = explain ? withheld.length - EXPLAINED : 0;
    const cut = more > 0 ? [`withheldItems: ${more} more; pass milestone, tag or type`] : [];
    return {
      items: offered.slice(0, count).map((item, _at, { length }) =>
        detail === "short"
          ? { ...readyRow(item), path: pathOf(plan, item) }
          : length > 1
          ? { ...offeredRow(plan, item), criteria: undefined, openCriteria: openCount(item) }
          : offeredRow(plan, item)
      ),
      ...offerNotes(plan, available, explain),
      withheld: withheld.length,
      withheldItems: explain
        ? withheld.slice(0, EXPLAINED).map((item) => withheldRow(plan, item, taken.get(item.id)))
        : undefined,
      ...later,
      leftOut: unlessEmpty([...cut, ...later.leftOut ?? []]),
      unchecked: uncheckedSentence(available.unchecked),
    };
  },
});
