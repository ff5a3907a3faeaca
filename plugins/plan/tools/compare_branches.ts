/** The part of `plan_history` that compares two branches, as a merge of them would. */

import { join } from "node:path";
import * as z from "zod";
import { countAndLimit, word } from "../../../src/plain_text.ts";
import { RefraktError } from "../../../src/errors.ts";
import { commitNamed, type GitPlace } from "../../../src/io/git_ask.ts";
import { readTexts } from "../../../src/io/git_objects.ts";
import { shownPath } from "../../../src/io/paths.ts";
import { turnTaker } from "../../../src/io/turns.ts";
import { read } from "../entity/document.ts";
import { inPlan } from "../git/events.ts";
import { readDifferences, readRepository } from "../git/log.ts";
import { mergeBase } from "../git/refs.ts";
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

/** The most files that a side may have changed. */
const MOST_FILES = 1_000;

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
  const ours = await changesOf(git, oursName, theirsName);
  const theirs = await changesOf(git, theirsName, oursName);
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
    if (ourText === theirText) merged.push({ ...row, base: "changed alike" });
    else if (ourText === base || theirText === base) {
      const [side, text] = theirText === base
        ? ["onlyOurs", ourText] as const
        : ["onlyTheirs", theirText] as const;
      only[side].push(`${word(name)}: ${describeTexts(base ?? null, text ?? null)}`);
    } else {
      const { is, ...outcome } = ourText === undefined || theirText === undefined
        ? deletedBy(ourText === undefined ? oursName : theirsName)
        : outcomeOf(mergeEntity({ base: base ?? "", ours: ourText, theirs: theirText }));
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

/** What a side has made of a file; no text where it has removed it, no base where it is new. */
interface SideChange {
  readonly path: string;
  readonly base: string | undefined;
  readonly text: string | undefined;
}

/** The changes of a branch since its merge base with another, by id: a file may have moved. */
async function changesOf(
  git: GitPlace,
  name: string,
  otherName: string,
): Promise<Map<string, SideChange>> {
  const commit = await commitNamed(name, git, "compare");
  const base = await mergeBase(git, commit, await commitNamed(otherName, git, "compare"));
  if (base === undefined) {
    throw new RefraktError("NOT_FOUND", "The two have no common ancestor", {
      hint: "In a shallow clone, git fetch --unshallow brings it.",
    });
  }
  const { prefix } = await readRepository(git);
  const { differences: [difference], failed } = await readDifferences(git, [[commit, base]]);
  const [why] = failed.values();
  if (why !== undefined) throw new RefraktError("VALIDATION_ERROR", `Git cannot compare: ${why}`);
  const changes = difference!.changes.filter(({ path }) => path.endsWith(".md"));
  if (changes.length > MOST_FILES) {
    const files = countAndLimit(changes.length, "files of the plan", MOST_FILES);
    throw new RefraktError("VALIDATION_ERROR", `Too much differs: ${files}`);
  }
  const texts = await readTexts(
    git,
    changes.flatMap(({ before, after = [] }) => before.concat(after)),
  );
  const turn = turnTaker(git.signal);
  const sides = new Map<string, SideChange>();
  for (const change of changes) {
    const [base, text] = [change.before[0], change.after].map((blob) => blob && texts.get(blob));
    const path = inPlan(prefix, change.path);
    const id = read(text ?? base ?? "").entity?.id ?? path;
    const known = sides.get(id);
    sides.set(id, {
      path: text === undefined ? known?.path ?? path : path,
      base: known?.base ?? base,
      text: known?.text ?? text,
    });
    await turn();
  }
  return sides;
}
