/** `plan_board`: counts by status and type, and the data of the board's view. */

import { basename } from "node:path";
import * as z from "zod";
import { activeMilestones } from "../queries/progress.ts";
import { waitsFor } from "../queries/waits.ts";
import { planStamp } from "../store/walk.ts";
import { withContent, withText } from "../../../src/plugin/result.ts";
import { readElsewhere, uncheckedSentence } from "../queries/elsewhere.ts";
import { entityNamed, type PlanView, sourceText } from "../queries/access.ts";
import { knownClaims } from "../remote/mod.ts";
import { readAvailability, takenIn } from "../queries/availability.ts";
import { type Card, cardsOf, type Related, relatedTo } from "../queries/board.ts";
import { ACTIVE, sortStatuses } from "../entity/lifecycle.ts";
import { groupItems } from "../queries/select.ts";
import { read } from "../entity/document.ts";
import { type TextSection, textSections } from "../entity/text_tree.ts";
import { firstOffers, type Offer, readNow, reasonFor, type Waiting } from "../queries/now.ts";
import { readDifference, readToday, type Today } from "../queries/today.ts";
import { branchOf } from "../git/refs.ts";
import { uncheckedPlaces } from "../tool_parts/fields.ts";
import { readTool, unreadableIn } from "../tool_parts/plan_tool.ts";
import { counted, sizesOf } from "../../../src/plugin/counted.ts";

const VIEW = "ui://refrakt/plan-board";

/** The key in `_meta` for the data that a view requests. */
const BOARD_META = "refrakt/board";

const Output = z.object({
  total: z.int(),
  columns: z.array(z.object({
    status: z.string(),
    count: z.int(),
    types: z.record(z.string(), z.int()),
  })),
  stamp: z.string(),
  project: z.string(),
  branch: z.string().optional(),
  unchecked: uncheckedPlaces(),
});

export const boardTool = readTool({
  name: "plan_board",
  title: "Show the plan's board",
  description: "Counts by status and type; a board in hosts with views.",
  listed: { to: "views" },
  input: {
    // For views; the data is in `_meta`.
    show: z.enum(["headers", "cards", "now", "today", "difference"]).optional(),
    entity: z.string().optional(),
    filter: z.record(z.string(), z.string()).optional().describe("For the view"),
  },
  output: Output,
  saysUnreadable: true,
  run: async ({ show, entity, filter = {} }, plan) => {
    const columns = groupItems(plan, plan.entities, "status").map(([status, items]) => ({
      status,
      count: items.length,
      types: sizesOf(groupItems(plan, items, "type")),
    }));
    // Changes with the plan's files, so that a view knows when to update.
    const files = new TextEncoder().encode(planStamp(plan.cwd, plan.dir));
    const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", files));
    const unreadable = unreadableIn(plan.store);
    const board = {
      total: plan.entities.length,
      columns,
      stamp: hash.toHex().slice(0, 16),
      project: basename(plan.cwd),
      branch: branchOf(plan.dir),
      unreadable,
    };
    const unread = unreadable && `Some of the plan could not be read: ${unreadable}`;
    const textOf = (unchecked?: string) =>
      [tableOf(board), unread, unchecked].filter(Boolean).join("\n\n");
    if (show === undefined && entity === undefined) return withText(textOf(), board);
    if (show !== "headers") await plan.readAll();
    const { unchecked, ...data }: ViewData = show === undefined
      ? {}
      : show === "difference"
      ? { lines: await readDifference(plan, { ...filter, id: entity ?? "" }) }
      : show === "today"
      ? { ...await todayData(plan, filter["since"] ?? "1d") }
      : await viewData(show, plan);
    return withContent([{ type: "text", text: textOf(unchecked) }], { ...board, unchecked }, {
      [BOARD_META]: {
        ...entity === undefined || show === "difference" ? {} : entityData(entity, plan),
        ...data,
      },
    });
  },
  _meta: { ui: { resourceUri: VIEW }, "ui/resourceUri": VIEW },
});

async function todayData(plan: PlanView, since: string): Promise<TodayData> {
  const { rows, ...rest } = await readToday(plan, { since, workingTree: true });
  return { ...rest, rows: rows.slice(0, MOST_ROWS), total: rows.length };
}

/** A Markdown table: a row per status, a column per type. */
function tableOf({ total, columns, branch }: z.infer<typeof Output>): string {
  const types = [...new Set(columns.flatMap(({ types }) => Object.keys(types)))];
  const row = (cells: readonly (string | number)[]) => `| ${cells.join(" | ")} |`;
  return [
    counted(total, "entity") + (branch === undefined ? "" : `, branch ${branch}`),
    "",
    row(["status", "all", ...types]),
    row(["---", "---", ...types.map(() => "---")]),
    ...columns.map(({ status, count, types: counts }) =>
      row([status, count, ...types.map((type) => counts[type] ?? 0)])
    ),
  ].join("\n");
}

/** How many rows a view shows of what has happened. */
const MOST_ROWS = 200;

/** What has happened, for a view. */
export interface TodayData extends Today {
  readonly total: number;
}

/** The whole plan, for a view. */
export interface PlanData {
  readonly cards: readonly Card[];
  /** Before git has answered. */
  readonly next?: readonly Offer[] | undefined;
  /** The plugin's statuses by type, in lifecycle order. */
  readonly statuses: Readonly<Record<string, readonly string[]>>;
  /** The plugin's values of other attributes. */
  readonly values: Readonly<Record<string, readonly string[]>>;
  /** The statuses of the plan and of the plugin in lifecycle order, and those of active work. */
  readonly order: readonly string[];
  readonly working: readonly string[];
  /** The active milestones, the one with most open work first. */
  readonly active: readonly string[];
}

/** An entity, for the panel of a view. */
export interface EntityData {
  /** What it waits for, why, and what would free it. */
  readonly waits: readonly Pick<Waiting, "id" | "why" | "free">[];
  readonly sections: readonly TextSection[];
  readonly related: readonly Related[];
}

/** The data of a view, and what could not be read. */
type ViewData = Record<string, unknown> & { unchecked?: string | undefined };

/** The data for a view, which would be too much for a model. */
async function viewData(
  show: "headers" | "cards" | "now",
  plan: PlanView,
): Promise<ViewData> {
  if (show === "cards" || show === "headers") {
    // The first view waits neither for git nor for what is below the first lines of files.
    const [elsewhere, claims, history] = show === "headers" ? [] : await Promise.all([
      readElsewhere(plan),
      knownClaims(plan),
      plan.history().catch(() => undefined),
    ]);
    const taken = elsewhere && claims && takenIn(plan, elsewhere, claims);
    const available = taken && await readAvailability(plan, {}, taken);
    const { status = {}, values = {} } = plan.plugin.vocabulary ?? {};
    return {
      cards: await cardsOf(plan, available, {
        states: elsewhere?.states,
        claims: claims?.claims,
        events: history?.events,
      }),
      next: show === "headers" ? await firstOffers(plan) : undefined,
      statuses: Object.fromEntries(
        Object.entries(status).map(([type, all]) => [type, sortStatuses(all)]),
      ),
      order: sortStatuses([
        ...Object.values(status).flat(),
        ...plan.entities.map((item) => item.status),
      ]),
      working: ACTIVE,
      values,
      active: activeMilestones(plan),
      ...taken && { unchecked: uncheckedSentence(taken.unchecked) },
    } satisfies PlanData & ViewData;
  }
  return { ...await readNow(plan) };
}

function entityData(id: string, plan: PlanView): EntityData {
  const item = entityNamed(plan, id);
  return {
    waits: waitsFor(plan, item).map((other) => ({
      id: other.id,
      ...reasonFor(plan, item, other),
    })),
    sections: textSections(read(sourceText(plan, item))),
    related: relatedTo(plan, item),
  };
}
