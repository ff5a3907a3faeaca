/** A milestone's page: what is open and why, what was finished when, and what waits for what. */

import { word } from "../../../src/plain_text.ts";
import { type Item, type PlanView, rowOf } from "./access.ts";
import { waitsFor } from "./availability.ts";
import type { Related, RelatedEntity } from "./board.ts";

export interface MilestonePage {
  /** Open items by reason, then the finished ones, the last one first. */
  readonly lists: readonly Related[];
  /** The ids of what waits or is waited for; what waits comes after what it waits for. */
  readonly levels: readonly (readonly string[])[];
  readonly edges: readonly (readonly [from: string, to: string])[];
}

/** @param sinceOf The date on which an item reached its status. */
export function milestonePage(
  plan: PlanView,
  milestone: Item,
  sinceOf: (item: Item) => string | undefined,
): MilestonePage {
  const own = plan.tasksOf(milestone.id);
  const open = own.filter(({ finished }) => !finished);
  const waiting = open.filter((item) => waitsFor(plan, item).length > 0);
  const free = Map.groupBy(
    open.filter((item) => !waiting.includes(item)),
    ({ status }) => status || "no status",
  );
  const noted = waiting.map((item): RelatedEntity => {
    const ids = waitsFor(plan, item).map(({ id }) => id);
    return { ...rowOf(item), note: `waits for ${ids.map(word).join(", ")}` };
  });
  const dated = own.filter(({ finished }) => finished)
    .map((item) => ({ ...rowOf(item), date: sinceOf(item) ?? "no date" }))
    .sort((a, b) => a.date < b.date ? 1 : -1);
  return {
    lists: [
      ...[...free].map(([status, items]) => ({
        title: `Open: ${status}`,
        entities: items.map(rowOf),
      })),
      { title: "Waiting for others", entities: noted },
      { title: "Finished", entities: dated },
    ],
    ...graphOf(plan, waiting),
  };
}

function graphOf(
  plan: PlanView,
  waiting: readonly Item[],
): Pick<MilestonePage, "levels" | "edges"> {
  const edges = waiting.flatMap((item) =>
    waitsFor(plan, item).map(({ id }) => [id, item.id] as const)
  );
  const levels = new Map<string, number>();
  const levelOf = (id: string, above: readonly string[]): number => {
    const known = levels.get(id);
    if (known !== undefined || above.includes(id)) return known ?? 0;
    const before = edges.filter(([, to]) => to === id).map(([from]) => from);
    const own = Math.max(-1, ...before.map((one) => levelOf(one, [...above, id]))) + 1;
    levels.set(id, own);
    return own;
  };
  const byLevel = Map.groupBy(new Set(edges.flat()), (id) => levelOf(id, []));
  return { levels: [...byLevel].sort(([a], [b]) => a - b).map(([, ids]) => ids), edges };
}
