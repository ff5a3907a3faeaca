/** What a merge says of each file: what each side has changed, and what is left to decide. */

import * as z from "zod";
import { shortText, word } from "../../../src/plain_text.ts";
import { unlessEmpty } from "../queries/access.ts";
import { describeTexts } from "../queries/changes.ts";
import { type Decide, mergeEntity } from "../write/merge/merge_entity.ts";
import { mapSides, type Sides } from "../write/merge/three_way.ts";

/** How much of each side an open disagreement shows, in characters. */
const MAX_SHOWN = 600;

/** Why a criterion is open after a merge. */
const REOPENED = "ticked on one side, reworded on the other: check it again";

const mergedRow = z.object({
  id: z.string(),
  path: z.string(),
  ours: z.string().optional().describe("What this side has changed"),
  theirs: z.string().optional(),
  reopened: z.array(z.string()).optional().describe("Text then → now, and why it is open"),
});

const openRow = mergedRow.extend({
  reason: z.string().optional(),
  disagreements: z.array(z.object({
    kind: z.string(),
    name: z.string(),
    base: z.string(),
    ours: z.string(),
    theirs: z.string(),
  })).optional(),
});

/** The fields of an answer: what is merged, and what is open. */
export const mergeRows = { merged: z.array(mergedRow), open: z.array(openRow).optional() };

/** Whether a file is merged or open, or was merged before, and what is to be said of it. */
export type MergeOutcome = Partial<Omit<z.infer<typeof openRow>, "id" | "path">> & {
  readonly is: "merged" | "open" | "done";
};

export function openBecause(reason: string): MergeOutcome {
  return { is: "open", reason };
}

export function deletedBy(side: string): MergeOutcome {
  return openBecause(
    `${word(side)} has deleted the file: keep it with git add, or run git rm`,
  );
}

/** Merges three versions of a file, and says what each side has changed. */
export function mergedSides(
  sides: Sides<string>,
  decide?: Decide,
): { readonly source: string; readonly outcome: MergeOutcome } {
  const { source, reopened = [], disagreements } = mergeEntity(sides, decide);
  const changeOf = (text: string) => describeTexts(sides.base || null, text);
  const outcome: MergeOutcome = {
    is: disagreements.length === 0 ? "merged" : "open",
    ours: changeOf(sides.ours),
    theirs: changeOf(sides.theirs),
    reopened: unlessEmpty(reopened.map((text) => `${text} (${REOPENED})`)),
    disagreements: unlessEmpty(disagreements.map(({ kind, name, ...texts }) => ({
      kind,
      name,
      ...mapSides(texts, (text) => shortText(text, MAX_SHOWN)),
    }))),
  };
  return { source, outcome };
}
