/** `plan.list`: filters, searches, sorts and groups entities. */

import * as z from "zod";
import { ENTITY_TYPES } from "../../../src/project/entities.ts";
import type { Tool } from "../../../src/tools/tool.ts";
import { readElsewhere } from "../queries/states_elsewhere.ts";
import type { PlanPlugin } from "../queries/ask_plugin.ts";
import { type Item, openPlan, present, rowOf } from "../queries/access.ts";
import { parseDuration } from "../entity/durations.ts";
import { claimRow, hasClaim, readClaims, shownClaim } from "../queries/claims.ts";
import {
  elsewhereState,
  examinedOf,
  examinedPlaces,
  onceEach,
  rowWith,
  withElsewhere,
} from "../queries/elsewhere.ts";
import { checkFields, fieldNames, fieldValue } from "../queries/fields.ts";
import { readBodies, searchText, snippetOf } from "../queries/search.ts";
import { byId, filterItems, type Group, groupItems, pageOf, sortItems } from "../queries/select.ts";
import { LISTED } from "../upstream/vocabulary.ts";
import { dirArgument, namedEntity, oneOrMore, READS } from "./fields.ts";
import { planTool } from "./plan_tool.ts";

/** The default number of rows. */
const ROWS = 50;

/** The default for a search, whose rows have snippets. */
const HITS = 20;

const Input = z.strictObject({
  type: oneOrMore(ENTITY_TYPES),
  status: oneOrMore(LISTED.status),
  open: z.boolean().optional().describe("Not finished"),
  milestone: oneOrMore().describe('"none": without'),
  source: oneOrMore().describe("What it implements"),
  tag: oneOrMore(),
  assignee: oneOrMore(),
  priority: oneOrMore(LISTED.priority),
  complexity: oneOrMore(LISTED.complexity),
  severity: oneOrMore(LISTED.severity),
  text: z.string().optional().describe("Words or ids"),
  mentions: oneOrMore().describe("Ids"),
  blocked: z.boolean().optional(),
  claimed: z.boolean().optional().describe("In progress with an assignee, and since when"),
  idle: z.string().optional().describe("Claimed without activity for this long, such as 2d or 6h"),
  branches: z.boolean().optional().describe("Adds states on other branches and in worktrees"),
  fields: z.array(z.string()).optional().describe(
    "Attributes, type, path, uri, criteria, dependencies, referencedBy, " +
      "blockedBy, progress, resolution, markdoc, modified",
  ),
  groupBy: z.string().optional().describe("Counts by attribute"),
  sort: z.string().optional().describe('Such as "priority,-modified"'),
  limit: z.int().min(1).max(1000).optional(),
  cursor: z.string().optional(),
  dir: dirArgument(),
});

const Output = z.object({
  total: z.int(),
  items: z.array(z.looseObject({
    ...namedEntity,
    type: z.string().optional(),
    milestone: z.string().optional(),
    priority: z.string().optional(),
    criteria: z.string().optional().describe("Ticked/all, such as 1/3"),
    blockedBy: z.array(z.string()).optional(),
    withheldBy: z.array(z.string()).optional(),
    note: z.string().optional(),
    dependencies: z.array(z.string()).optional(),
    referencedBy: z.array(z.object({ id: z.string(), kind: z.string() })).optional(),
    path: z.string().optional(),
    uri: z.string().optional(),
    modified: z.string().optional(),
    snippet: z.string().optional(),
    claim: claimRow.optional(),
    elsewhere: z.array(elsewhereState).optional(),
    onlyElsewhere: z.boolean().optional(),
  })).optional(),
  groups: z.array(z.object({ key: z.string(), count: z.int(), open: z.int() })).optional(),
  nextCursor: z.string().optional(),
  branches: examinedPlaces.optional(),
  note: z.string().optional(),
});

export function listTool(plugin: PlanPlugin): Tool {
  return planTool(plugin, {
    name: "plan.list",
    title: "List entities",
    description: "Finds, counts and groups entities of the plan. Filters take one value or " +
      "several; plan.get reads what it finds.",
    annotations: READS,
    input: Input,
    output: Output,
    run: async (input, context): Promise<z.infer<typeof Output>> => {
      const {
        groupBy,
        sort,
        cursor,
        text,
        dir,
        branches = false,
        idle,
        claimed = idle !== undefined || undefined,
      } = input;
      const { limit: _limit, ...filters } = input;
      const idleMs = idle === undefined ? 0 : parseDuration(idle);
      const { limit = text === undefined ? ROWS : HITS } = input;
      const { fields = input.blocked === true ? ["blockedBy", "note"] : [] } = input;
      const here = await openPlan(context, dir, plugin);
      const elsewhere = branches ? await readElsewhere(here, plugin, context.signal) : undefined;
      const plan = elsewhere === undefined ? here : withElsewhere(here, elsewhere);
      checkFields("fields", fields, fieldNames(plan));
      const bodies = text === undefined ? undefined : await readBodies(here);
      if (filters.mentions !== undefined || fields.includes("referencedBy")) {
        await plan.state.readDocuments();
      }
      const matching = onceEach(plan, filterItems(plan, filters));
      const { claims, note } = claimed === true
        ? await readClaims(here, plugin, matching, context.signal)
        : {};
      const isIdle = (item: Item) =>
        Date.now() - (claims?.get(item)?.lastActivity ?? Infinity) >= idleMs;
      const filtered = claimed === undefined
        ? matching
        : matching.filter((item) => hasClaim(item) === claimed && (!claimed || isIdle(item)));
      const isElsewhere = ({ id }: Item) => elsewhere?.states.has(id) ? 0 : 1;
      const ids = byId(plan);
      const hits = bodies === undefined
        ? filtered.toSorted((a, b) => isElsewhere(a) - isElsewhere(b) || ids(a, b))
        : searchText(bodies, filtered, text!).map(({ item }) => item);
      const found = sort === undefined ? hits : sortItems(plan, hits, sort);
      const examined = elsewhere && { branches: examinedOf(elsewhere) };
      if (groupBy !== undefined) {
        const { items: groups, nextCursor } = pageOf<Group>(
          groupItems(plan, found, groupBy),
          limit,
          cursor,
        );
        return {
          total: found.length,
          groups: [...groups],
          ...present({ nextCursor }),
          ...examined,
        };
      }
      const { items, nextCursor } = pageOf(found, limit, cursor);
      return {
        total: found.length,
        items: items.map((item) => ({
          ...(elsewhere === undefined ? rowOf(item) : rowWith(here, elsewhere, item)),
          ...present(
            Object.fromEntries(fields.map((name) => [name, fieldValue(plan, item, name)])),
          ),
          ...(claims?.has(item) ? { claim: shownClaim(claims.get(item)!) } : {}),
          ...present({ snippet: bodies && snippetOf(bodies.get(item) ?? "", text!) }),
        })),
        ...present({ nextCursor, note }),
        ...examined,
      };
    },
  });
}
