/** Numbers with their nouns, lists in short and sentences about tools, for models and on terminals. */

import type { MayList } from "./plugin.ts";

/** `1 file`, `2 files`, `2 entities`, `2 criteria`. */
export function counted(number: number, noun: string): string {
  const plural = `${noun}s`.replace(/ys$/, "ies").replace(/criterions$/, "criteria");
  return `${number} ${number === 1 ? noun : plural}`;
}

/** How many members each group has. */
export function sizesOf(
  groups: Iterable<readonly [string, readonly unknown[]]>,
): Record<string, number> {
  return Object.fromEntries([...groups].map(([name, { length }]) => [name, length]));
}

/** How many findings are gone, in all and by kind; nothing without a comparison. */
export function goneOf<Item>(
  gone: readonly Item[] | undefined,
  kindOf: (item: Item) => string,
): { gone?: number; goneKinds?: Record<string, number> } {
  if (gone === undefined) return {};
  const goneKinds = sizesOf(Map.groupBy(gone, kindOf));
  return gone.length === 0 ? { gone: 0 } : { gone: gone.length, goneKinds };
}

/** The first items of a list: `a, b and 3 more`. */
export function shortList(items: readonly string[], most: number): string {
  const rest = items.length - most;
  return items.slice(0, most).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}

/** The purpose of a tool as a clause, and where it writes. */
export type Clause = readonly [tool: string, text: string, writes?: string];

/** A sentence of the clauses whose tool may be listed, if there are any. */
export function clauseSentence(
  start: string,
  clauses: readonly Clause[],
  mayList: MayList,
): string[] {
  const texts = clauses.filter(([tool, , writes]) => mayList(tool, writes)).map(([, text]) => text);
  return texts.length === 0 ? [] : [`${start}${texts.join("; ")}.`];
}
