/**
 * `plan_next`: the next items to take up, with the titles of their references, and why other items
 * are withheld.
 */

import { quotedName } from "../../../src/plain_text.ts";
import * as z from "zod";
import { openCount } from "../queries/progress.ts";
import {
  blockersOf,
  conflictNote,
  duplicateNote,
  idAndStatus,
  isSound,
  mentionsThatWithhold,
  withheldBy,
} from "../queries/waits.ts";
import type { Entity } from "../entity/entity.ts";
import { askPlugin } from "../queries/ask_plugin.ts";
import { pathOf, type PlanView, rowOf, unlessEmpty } from "../queries/access.ts";
import { lookAhead } from "../queries/ahead.ts";
import {
  type Availability,
  itemsInScope,
  readAvailability,
  whyNotOffered,
} from "../queries/availability.ts";
import { readyStatus } from "../entity/lifecycle.ts";
import { uncheckedSentence } from "../queries/elsewhere.ts";
import {
  detailArgument,
  namedEntities,
  namedEntity,
  uncheckedPlaces,
} from "../tool_parts/fields.ts";
import { readTool } from "../tool_parts/plan_tool.ts";
import { offeredItem, readyRow, shown } from "../tool_parts/ready_rows.ts";

/** How many drafts are named where nothing is ready. */
const DRAFTS = 5;

/** How many withheld items are explained. */
const EXPLAINED = 8;

/** The start of a reason that follows from the plugin's rule for references. */
const REFERENCES = "References: ";

/** That rule, stated once for all items. */
const NOTE = "Without a Dependencies section, mentions count as dependencies";

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

const Output = z.object({
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

type Answer = z.infer<typeof Output>;

export const nextTool = readTool({
  name: "plan_next",
  title: "Find the next work item",
  description:
    "The next tasks of the backlog: ready work items and bugs (issues, tickets, todos) " +
    "whose dependencies are done, the most important first.",
  input: {
    type: z.enum(["work", "bug", "all"]).optional(),
    milestone: z.string().optional(),
    tag: z.string().optional(),
    assignee: z.string().optional(),
    count: z.int().min(1).max(100).optional().describe("Default 1"),
    explain: z.boolean().optional().describe("Why ready items are withheld"),
    ahead: z.int().min(1).max(100).optional().describe("Steps to look ahead"),
    detail: detailArgument(),
  },
  output: Output,
  run: async (input, plan): Promise<Answer> => {
    const { explain = false, ahead, detail, count = 1, ...scope } = input;
    const items = new Set(itemsInScope(plan, scope));
    if (ahead !== undefined) await plan.readAll();
    const later: Partial<Answer> = ahead === undefined
      ? {}
      : lookAhead(plan, (item) => items.has(item), ahead);
    if (detail === "full") {
      const all = await askPlugin<Answer>(plan, "next", { count: plan.entities.length + 1 });
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
          ? { ...shown(plan, item), criteria: undefined, openCriteria: openCount(item) }
          : shown(plan, item)
      ),
      ...reasonsFor(plan, available, explain),
      withheld: withheld.length,
      withheldItems: explain
        ? withheld.slice(0, EXPLAINED).map((item) => explained(plan, item, taken.get(item.id)))
        : undefined,
      ...later,
      leftOut: unlessEmpty([...cut, ...later.leftOut ?? []]),
      unchecked: uncheckedSentence(available.unchecked),
    };
  },
});

/** Why nothing more is offered; where nothing is ready, also how a draft becomes so. */
function reasonsFor(plan: PlanView, available: Availability, explain: boolean): Partial<Answer> {
  const { offered, withheld, unready } = available;
  const why = whyNotOffered(plan, available);
  const [first] = unready;
  const isNothing = offered.length === 0;
  if (isNothing && withheld.length === 0 && first !== undefined) {
    const call = `plan_update { id: ${quotedName(first.id)}, status: "${
      readyStatus(first.type)
    }" }`;
    return {
      drafts: unready.slice(0, DRAFTS).map(rowOf),
      note: `Nothing is ready: ${why}. Once the criteria are settled, ${call} offers it.`,
    };
  }
  // Where much is offered, the number of withheld items is enough.
  const isClear = withheld.every((item) => isSound(plan, item));
  if (offered.length > withheld.length && !explain && isClear) return {};
  if (why === "") return isNothing ? { note: "Nothing is ready or waits to become so" } : {};
  const mentions = (isNothing || explain) &&
      withheld.some((item) => mentionsThatWithhold(plan, item).length > 0)
    ? `. ${NOTE}: plan_validate { type: "mention-blocks" } has the corrections`
    : "";
  const start = isNothing ? "Nothing is offered" : `${offered.length} offered`;
  return { note: `${start}: ${why}${mentions}` };
}

/** Explains why a ready item is withheld. */
function explained(plan: PlanView, item: Entity, taken: string | undefined) {
  const [blockers, others] = [blockersOf(plan, item), withheldBy(plan, item)];
  const listOf = (items: readonly Entity[]) => items.map(idAndStatus).join(", ");
  const reasons = taken === undefined ? [] : [`Taken elsewhere: ${taken}`];
  if (blockers.length > 0) reasons.push(`Unfinished dependencies: ${listOf(blockers)}`);
  if (others.some(({ id }) => item.dependencies?.some((one) => one.id === id))) {
    reasons.push(`The plan plugin counts only done and fixed: ${listOf(others)}`);
  } else if (others.length > 0) {
    reasons.push(REFERENCES + listOf(others));
  }
  reasons.push(
    ...[duplicateNote(plan, item), conflictNote(item)].filter((one) => one !== undefined),
  );
  return {
    id: item.id,
    title: item.title || undefined,
    reason: reasons.join("; ") || "It has no id",
  };
}
