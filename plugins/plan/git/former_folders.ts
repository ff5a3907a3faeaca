/** Finds the plan's folder in commits where it had another name. */

import type { GitPlace } from "../../../src/io/git_ask.ts";
import { emptyTree, planTrees } from "../../../src/io/git_trees.ts";
import { differencesOf } from "./differences.ts";

/** How many commits that made the plan's folder are looked at. */
const MOST_RENAMES = 8;

interface Parented {
  readonly hash: string;
  readonly parents: readonly string[];
}

/**
 * Follows renames of the plan's folder: where a commit made it and most of its files were in another
 * folder before, the trees of that one take the place of empty ones.
 *
 * @param prefix The present folder in the repository, with a trailing slash.
 * @param commits The newest first.
 * @param found The trees of the folder by commit, which are completed.
 */
export async function findFormerFolders(
  place: GitPlace,
  prefix: string,
  commits: readonly Parented[],
  found: Map<string, string>,
): Promise<void> {
  const isWithout = (hash: string) => found.get(hash) === emptyTree(hash);
  const folders = new Map<string, string>();
  const seen = new Set<string>();
  while (seen.size < MOST_RENAMES) {
    const born = commits.find(({ hash, parents: [first] }) =>
      first !== undefined && !seen.has(hash) && found.has(hash) && !isWithout(hash) &&
      isWithout(first)
    );
    if (born === undefined) return;
    const { hash, parents: [parent] } = born;
    seen.add(hash);
    const former = await folderBefore(place, hash, parent!, folders.get(hash) ?? prefix);
    if (former === undefined) continue;
    const { trees } = await planTrees(place, found.keys().filter(isWithout), undefined, former);
    for (const [name, tree] of trees) {
      if (!("tree" in tree) || tree.tree === emptyTree(name)) continue;
      found.set(name, tree.tree);
      folders.set(name, former);
    }
  }
}

/** The folder in which most files of a folder were before a commit made it. */
async function folderBefore(
  place: GitPlace,
  commit: string,
  parent: string,
  folder: string,
): Promise<string | undefined> {
  const { trees } = await planTrees(place, [commit, parent], undefined, "");
  const [to, from] = [trees.get(commit)!, trees.get(parent)!];
  if (!("tree" in to && "tree" in from)) return undefined;
  const pair = { to: to.tree, froms: [from.tree] };
  const all = [...(await differencesOf(place, "", [pair])).values()].flat();
  const added = new Set(
    all.flatMap(({ path, before }) =>
      before === undefined && path.startsWith(folder) ? [path.slice(folder.length)] : []
    ),
  );
  const counts = new Map<string, number>();
  for (const { path, after } of all) {
    if (after !== undefined) continue;
    // Of old/work/a.md, old/ has work/a.md.
    for (const start of [0, ...path.matchAll(/\//g).map(({ index }) => index + 1)]) {
      if (!added.has(path.slice(start))) continue;
      const former = path.slice(0, start);
      counts.set(former, (counts.get(former) ?? 0) + 1);
    }
  }
  const [best] = [...counts].toSorted(([, a], [, b]) => b - a);
  // Git takes names line by line.
  const isFound = best !== undefined && 2 * best[1] >= added.size && !best[0].includes("\n");
  return isFound ? best[0] : undefined;
}
