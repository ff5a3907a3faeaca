/** The part of `plan_history` that compares two branches, as a merge of them would. */

import { join } from "node:path";
import * as z from "zod";
import { word } from "../../../src/plain_text.ts";
import { commitNamed } from "../../../src/io/git_ask.ts";
import { shownPath } from "../../../src/io/paths.ts";
import { turnTaker } from "../../../src/io/turns.ts";
import { readBranches } from "../git/branch_versions.ts";
import { type PlanView, unlessEmpty } from "../queries/access.ts";
import { describeTexts } from "../queries/changes.ts";
import { deletedBy, mergeRows, outcomeOf } from "../tool_parts/merge_rows.ts";
import { mergeEntity } from "../write/merge/merge_entity.ts";

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
 * @param given `ours` and `theirs`; one alone is compared with HEAD.
 * @param id Only this entity.
 */
export async function compareBranches(
  { cwd, dir, git }: PlanView,
  given: readonly string[],
  id: string | undefined,
): Promise<z.infer<typeof BranchComparison>> {
  const [theirsName = "HEAD", oursName = "HEAD"] = given.toReversed();
  const [ours, theirs] = [
    await commitNamed(oursName, git, "compare"),
    await commitNamed(theirsName, git, "compare"),
  ];
  const files = (await readBranches(git, ours, theirs))
    .filter((file) => id === undefined || file.id.toLowerCase() === id.toLowerCase());
  const merged: z.infer<typeof BranchComparison>["merged"] = [];
  const open: typeof merged = [];
  const only: Record<"ours" | "theirs", string[]> = { ours: [], theirs: [] };
  const turn = turnTaker(git.signal);
  for (const { base, ours, theirs, ...file } of files) {
    await turn();
    const row = { id: file.id, path: shownPath(cwd, join(dir, file.path)) };
    if (ours === theirs) merged.push({ ...row, base: "changed alike" });
    else if (ours === base || theirs === base) {
      const side = theirs === base ? "ours" : "theirs";
      const text = describeTexts(base ?? null, (side === "ours" ? ours : theirs) ?? null);
      only[side].push(`${word(file.id)}: ${text}`);
    } else {
      const { is, ...outcome } = ours === undefined || theirs === undefined
        ? deletedBy(ours === undefined ? oursName : theirsName)
        : outcomeOf(mergeEntity({ base: base ?? "", ours, theirs }));
      (is === "merged" ? merged : open).push({ ...row, ...outcome });
    }
  }
  return {
    merged,
    open: unlessEmpty(open),
    onlyOurs: unlessEmpty(only.ours),
    onlyTheirs: unlessEmpty(only.theirs),
  };
}
