/** What a merge says of each file: what each side has changed, and what is left to decide. */

import * as z from "zod";
import { shortText, word } from "../../../src/plain_text.ts";
import { unlessEmpty } from "../queries/access.ts";
import { describeTexts } from "../queries/changes.ts";
import { type Decisions, type Merge, mergeEntity } from "../write/merge/merge_entity.ts";
import type { Sides } from "../write/merge/three_way.ts";

/** How much of each side an open disagreement shows, in characters. */
const MAX_SHOWN = 600;

/** Why a criterion is open after a merge. */
const REOPENED = "ticked on one side, reworded on the other: check it again";

const said = {
  ours: z.string().optional().describe("What this side has changed"),
  theirs: z.string().optional(),
  reopened: z.array(z.string()).optional().describe("Text then → now, and why it is open"),
};

const openSaid = {
  ...said,
  reason: z.string().optional(),
  disagreements: z.array(z.object({
    kind: z.string(),
    name: z.string(),
    base: z.string(),
    ours: z.string(),
    theirs: z.string(),
  })).optional(),
};

const named = { id: z.string(), path: z.string() };

/** The fields of an answer: what is merged, and what is open. */
export const mergeRows = {
  merged: z.array(z.object({ ...named, ...said })),
  open: z.array(z.object({ ...named, ...openSaid })).optional(),
};

/** Whether a file is merged or open, and what is to be said of it. */
export type MergeOutcome = Partial<z.infer<z.ZodObject<typeof openSaid>>> & {
  readonly is: "merged" | "open";
};

export function deletedBy(side: string): MergeOutcome {
  return {
    is: "open",
    reason: `${word(side)} has deleted the file: keep it with git add, or run git rm`,
  };
}

/** Merges three versions of a file, and says what each side has changed. */
export function mergedSides(
  sides: Sides<string>,
  decisions?: Decisions,
): { readonly merge: Merge; readonly outcome: MergeOutcome } {
  const merge = mergeEntity(sides, decisions);
  const { reopened = [], disagreements } = merge;
  const again = reopened.map((text) => `${text} (${REOPENED})`);
  const changeOf = (text: string) => describeTexts(sides.base || null, text);
  const said = {
    ours: changeOf(sides.ours),
    theirs: changeOf(sides.theirs),
    reopened: unlessEmpty(again),
  };
  if (disagreements.length === 0) return { merge, outcome: { is: "merged", ...said } };
  const cut = (text: string) => shortText(text, MAX_SHOWN);
  const open = disagreements.map(({ base, ours, theirs, ...about }) => ({
    ...about,
    base: cut(base),
    ours: cut(ours),
    theirs: cut(theirs),
  }));
  return { merge, outcome: { is: "open", ...said, disagreements: open } };
}
