/** What the board's views get: the whole plan, an entity, or what has happened. */

import { read } from "../entity/document.ts";
import { ACTIVE, sortStatuses } from "../entity/lifecycle.ts";
import { type TextSection, textSections } from "../entity/text_tree.ts";
import { knownClaims } from "../remote/mod.ts";
import { entityNamed, type PlanView, sourceText } from "./access.ts";
import { readAvailability, takenIn } from "./availability.ts";
import { type Card, cardsOf, type Related, relatedTo } from "./board.ts";
import { readElsewhere, uncheckedSentence } from "./elsewhere.ts";
import { firstOffers, type Offer, readNow, reasonFor, type Waiting } from "./now.ts";
import { activeMilestones } from "./progress.ts";
import { readDifference, readToday, type Today } from "./today.ts";
import { waitsFor } from "./waits.ts";

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

/** What a view asks for. */
interface BoardAsked {
  readonly show?: "headers" | "cards" | "now" | "today" | "difference" | undefined;
  readonly entity?: string | undefined;
  readonly filter?: Readonly<Record<string, string>>;
}

/** The data for a view, which would be too much for a model. */
export async function boardData(
  plan: PlanView,
  { show, entity, filter = {} }: BoardAsked,
): Promise<ViewData> {
  if (show === "difference") {
    return { lines: await readDifference(plan, { ...filter, id: entity ?? "" }) };
  }
  const panel = entity === undefined ? {} : entityData(entity, plan);
  switch (show) {
    case undefined:
      return { ...panel };
    case "today":
      return { ...panel, ...await todayData(plan, filter["since"] ?? "1d") };
    case "now":
      return { ...panel, ...await readNow(plan) };
    default:
      return { ...panel, ...await planData(plan, show === "headers") };
  }
}

/** @param isFirst The first view waits neither for git nor for what is below the first lines of files. */
async function planData(plan: PlanView, isFirst: boolean): Promise<PlanData & ViewData> {
  const [elsewhere, claims, history] = isFirst ? [] : await Promise.all([
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
    next: isFirst ? await firstOffers(plan) : undefined,
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
  };
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

async function todayData(plan: PlanView, since: string): Promise<TodayData> {
  const { rows, ...rest } = await readToday(plan, { since, workingTree: true });
  return { ...rest, rows: rows.slice(0, MOST_ROWS), total: rows.length };
}
