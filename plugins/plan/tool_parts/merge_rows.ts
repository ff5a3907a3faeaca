/** The rows of a merge's answer, and of a comparison of two branches. */

import { join } from "node:path";
import * as z from "zod";
import { commitNamed } from "../../../src/io/git_ask.ts";
import { unlessEmpty } from "../../../src/io/json.ts";
import { shownPath } from "../../../src/io/paths.ts";
import { inTurns } from "../../../src/io/turns.ts";
import { shortText, word } from "../../../src/plain_text.ts";
import { type SideFile, sideFiles } from "../git/side_files.ts";
import type { PlanView } from "../queries/access.ts";
import { describeTexts } from "../queries/changes.ts";
import { type Decide, mergeEntity } from "../write/merge/merge_entity.ts";
import { mapSides, type Sides } from "../write/merge/three_way.ts";

/** How much of each side an open disagreement shows, in characters. */
const MAX_SHOWN = 600;

/** What git has kept apart, because a file or its folder was renamed; and what a side has deleted. */
const GONE = "No side has a file of this name any more: run git rm";
const ALONE =
  "alone has a file of this name: resolve its markers by hand, if it has any, then keep it " +
  "with git add, or run git rm";
const DELETED = "has deleted the file: keep it with git add, or run git rm";

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

/** The fields of an answer: the merged entities, and the open ones. */
export const mergeRows = { merged: z.array(mergedRow), open: z.array(openRow).optional() };

/** The row of a file: open with a reason or disagreements; and the merged text, if any. */
export type MergeRow = z.infer<typeof openRow> & { readonly source?: string };
export type MergeOutcome = Omit<MergeRow, "id" | "path">;

/** The rows of an answer, in the order of the files. */
export function rowsOfMerge(rows: readonly MergeRow[]) {
  const isOpen = ({ reason, disagreements }: MergeRow) => (reason ?? disagreements) !== undefined;
  const shown = rows.map(({ source: _, ...row }) => row);
  return { merged: shown.filter((row) => !isOpen(row)), open: unlessEmpty(shown.filter(isOpen)) };
}

/** Merges three versions of a file, of which each may not exist, and says what each side has changed. */
export function mergeFile(
  { base, ours, theirs }: Sides<string | undefined>,
  names: Pick<Sides<string>, "ours" | "theirs">,
  decide?: Decide,
): MergeOutcome {
  if (ours === undefined && theirs === undefined) return { reason: GONE };
  if (ours === undefined || theirs === undefined) {
    const [having, lacking] = ours === undefined
      ? [names.theirs, names.ours]
      : [names.ours, names.theirs];
    return { reason: base === undefined ? `${having} ${ALONE}` : `${word(lacking)} ${DELETED}` };
  }
  const sides = { base: base ?? "", ours, theirs };
  const { source, reopened = [], disagreements } = mergeEntity(sides, decide);
  return {
    source,
    ours: describeTexts(base || null, ours),
    theirs: describeTexts(base || null, theirs),
    reopened: unlessEmpty(
      reopened.map((text) => `${text} (ticked on one side, reworded on the other: check it again)`),
    ),
    disagreements: unlessEmpty(disagreements.map(({ kind, name, ...texts }) => ({
      kind,
      name,
      ...mapSides(texts, (text) => shortText(text, MAX_SHOWN)),
    }))),
  };
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
  const [theirs = "HEAD", ours = "HEAD"] = names.toReversed();
  const ourCommit = await commitNamed(ours, git, "compare");
  const theirCommit = await commitNamed(theirs, git, "compare");
  const ourFiles = await sideFiles(git, ourCommit, theirCommit);
  const theirFiles = await sideFiles(git, theirCommit, ourCommit);
  const rows: MergeRow[] = [];
  const onlyOurs: string[] = [];
  const onlyTheirs: string[] = [];
  const all = [...new Set([...ourFiles.keys(), ...theirFiles.keys()])].sort();
  for await (const name of inTurns(all, git.signal)) {
    if (id !== undefined && name.toLowerCase() !== id.toLowerCase()) continue;
    const { path, base } = ourFiles.get(name) ?? theirFiles.get(name)!;
    const textIn = (files: ReadonlyMap<string, SideFile>) =>
      (files.get(name) ?? { text: base }).text;
    const sides = { base, ours: textIn(ourFiles), theirs: textIn(theirFiles) };
    const changeTo = (text: string | null = null) =>
      `${word(name)}: ${describeTexts(base ?? null, text)}`;
    const row = { id: name, path: shownPath(cwd, join(dir, path)) };
    if (sides.ours === sides.theirs) rows.push({ ...row, ours: "changed alike" });
    else if (sides.theirs === base) onlyOurs.push(changeTo(sides.ours));
    else if (sides.ours === base) onlyTheirs.push(changeTo(sides.theirs));
    else rows.push({ ...row, ...mergeFile(sides, { ours, theirs }) });
  }
  return {
    ...rowsOfMerge(rows),
    onlyOurs: unlessEmpty(onlyOurs),
    onlyTheirs: unlessEmpty(onlyTheirs),
  };
}
