/// <reference lib="dom" />
/** Finds entities by their text; titles and ids match without it. */

import type { Host } from "./host.ts";

/** Shorter words are in every text. */
const LEAST_LENGTH = 3;

/** How many hits are asked for. */
const HITS = 200;

/** The ids of the entities with a text, from `plan.list`. */
export async function findInText(host: Host, text: string): Promise<ReadonlySet<string>> {
  if (text.trim().length < LEAST_LENGTH) return new Set();
  const { items } = await host.call<{ items: { id: string }[] }>("list", { text, limit: HITS })
    .catch(() => ({ items: [] }));
  return new Set(items.map(({ id }) => id));
}
