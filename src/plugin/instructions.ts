/** Sentences of the instructions that name tools. */

import type { MayList } from "./plugin.ts";

/** What a tool is for, and where it writes. */
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
