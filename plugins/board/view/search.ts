/// <reference lib="dom" />
/**
 * Finds entities by their text; titles and ids match without it.
 *
 * @module
 */

import type { Host } from "./host.ts";

/** Shorter words are in every text. */
const LEAST_LENGTH = 3;

/** Waits for the next key before it asks, in milliseconds. */
const PAUSE_MS = 200;

/** How many hits are asked for. */
const HITS = 200;

/**
 * Searches with `plan.list`.
 *
 * @param latest The text of the search now: an outdated answer is dropped.
 * @param take Receives the ids.
 */
export async function findInText(
  host: Host,
  text: string,
  latest: () => string,
  take: (ids: ReadonlySet<string>) => void,
): Promise<void> {
  if (text.trim().length < LEAST_LENGTH) return take(new Set());
  await new Promise((done) => setTimeout(done, PAUSE_MS));
  if (latest() !== text) return;
  const { items } = await host.call<{ items: { id: string }[] }>("list", { text, limit: HITS })
    .catch(() => ({ items: [] }));
  if (latest() === text) take(new Set(items.map(({ id }) => id)));
}
