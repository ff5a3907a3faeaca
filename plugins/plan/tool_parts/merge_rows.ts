/** What a merge says of each file, or would say of what two branches have changed. */

import * as z from "zod";
import { shortText, word } from "../../../src/plain_text.ts";
import type { PlanView } from "../queries/access.ts";
import { describeTexts } from "../queries/changes.ts";
import { type Decide, mergeEntity } from "../write/merge/merge_entity.ts";
import { mapSides, type Sides } from "../write/merge/three_way.ts";
import { join } from "node:path";
import { turnTaker } from "../../../src/io/turns.ts";
import { commitNamed } from "../../../src/io/git_ask.ts";
import { shownPath } from "../../../src/io/paths.ts";
import { sideFiles } from "../git/side_files.ts";
import { unlessEmpty } from "../../../src/io/json.ts";

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

export const BranchComparison = z.object({
  ...mergeRows,
  merged: mergeRows.merged.describe("Changed by both, without a disagreement"),
  open: mergeRows.open.describe("Changed by both, with something to decide"),
  onlyOurs: z.array(z.string()).optional().describe("id: what the first branch alone has changed"),
  onlyTheirs: z.array(z.string()).optional(),
});

/**
 * Says what each of two branches has changed since their merge base.
 *
 * @param names `ours` and `theirs`; one alone is compared with HEAD.
 * @param id Only this entity.
 */
export async function compareBranches(
  { cwd, dir, git }: PlanView,
  names: readonly string[],
  id: string | undefined,
): Promise<z.infer<typeof BranchComparison>> {
  const [theirsName = "HEAD", oursName = "HEAD"] = names.toReversed();
  const [ourCommit, theirCommit] = [
    await commitNamed(oursName, git, "compare"),
    await commitNamed(theirsName, git, "compare"),
  ];
  const ours = await sideFiles(git, ourCommit, theirCommit);
  const theirs = await sideFiles(git, theirCommit, ourCommit);
  const merged: z.infer<typeof BranchComparison>["merged"] = [];
  const open: typeof merged = [];
  const only: Record<"onlyOurs" | "onlyTheirs", string[]> = { onlyOurs: [], onlyTheirs: [] };
  const turn = turnTaker(git.signal);
  for (const name of [...new Set([...ours.keys(), ...theirs.keys()])].sort()) {
    await turn();
    if (id !== undefined && name.toLowerCase() !== id.toLowerCase()) continue;
    const [own, other] = [ours.get(name), theirs.get(name)];
    const { path, base } = own ?? other!;
    const [ourText, theirText] = [own ?? { text: base }, other ?? { text: base }]
      .map(({ text }) => text);
    const row = { id: name, path: shownPath(cwd, join(dir, path)) };
    if (ourText === theirText) merged.push({ ...row, ours: "changed alike" });
    else if (ourText === base || theirText === base) {
      const [side, text] = theirText === base
        ? ["onlyOurs", ourText] as const
        : ["onlyTheirs", theirText] as const;
      only[side].push(`${word(name)}: ${describeTexts(base ?? null, text ?? null)}`);
    } else {
      const { is, ...outcome } = ourText === undefined || theirText === undefined
        ? deletedBy(ourText === undefined ? oursName : theirsName)
        : mergedSides({ base: base ?? "", ours: ourText, theirs: theirText }).outcome;
      (is === "merged" ? merged : open).push({ ...row, ...outcome });
    }
  }
  const { onlyOurs, onlyTheirs } = only;
  return {
    merged,
    open: unlessEmpty(open),
    onlyOurs: unlessEmpty(onlyOurs),
    onlyTheirs: unlessEmpty(onlyTheirs),
  };
}
