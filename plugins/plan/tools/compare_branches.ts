/** The part of `plan_history` that compares two branches, as a merge of them would. */

import { join } from "node:path";
import * as z from "zod";
import { turnTaker } from "../../../src/io/turns.ts";
import { word } from "../../../src/plain_text.ts";
import { commitNamed } from "../../../src/io/git_ask.ts";
import { shownPath } from "../../../src/io/paths.ts";
import { sideFiles } from "../git/side_files.ts";
import { type PlanView, unlessEmpty } from "../queries/access.ts";
import { describeTexts } from "../queries/changes.ts";
import { deletedBy, mergedSides, mergeRows } from "../tool_parts/merge_rows.ts";

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
