/** Compares trees of a repository: which files differ, read as git prints them. */

import type { GitPlace } from "../../../src/io/git_ask.ts";
import type { PlanTrees } from "../../../src/io/git_trees.ts";
import { turnTaker } from "../../../src/io/turns.ts";
import { readTokens } from "./tokens.ts";

/** Renames are detected by entity id instead. */
const RAW = ["-z", "--raw", "--no-abbrev", "--no-renames", "--no-color", "-O/dev/null"];
/** The most files that differ in all commits of one question. */
export const MOST_DIFFERENCES = 100_000;

/** The trees that are compared. */
export interface Comparison {
  readonly to: string;
  readonly froms: readonly string[];
}

/** A file that differs in two trees. */
export interface FileDifference {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/**
 * Compares trees that were counted, each pair once, those with the fewest files first. The pairs that
 * remain when there are too many differences are left out.
 */
export async function differencesOf(
  place: GitPlace,
  { prefix, mostBetween }: Pick<PlanTrees, "prefix" | "mostBetween">,
  compared: readonly Comparison[],
): Promise<Map<string, FileDifference[]>> {
  const found = new Map<string, FileDifference[]>();
  const pairs = new Map<string, number>();
  const turn = turnTaker(place.signal ?? new AbortController().signal);
  for (const { froms, to } of compared) {
    await turn();
    for (const from of froms) {
      if (from === to) found.set(`${from} ${to}`, []);
      else pairs.set(`${from} ${to}`, mostBetween(from, to));
    }
  }
  if (pairs.size === 0) return found;
  const sorted = [...pairs].sort(([, a], [, b]) => a - b).map(([pair]) => pair);
  const args = ["diff-tree", "--stdin", "-r", ...RAW, "--"];
  const input = [...sorted, ""].join("\n");
  let rest = MOST_DIFFERENCES;
  let pair = "";
  let change: string | undefined;
  const isWhole = await readTokens(args, { ...place, input }, (token) => {
    if (change !== undefined) {
      const [, , before, after, letter] = change.split(" ");
      change = undefined;
      if (rest-- <= 0) return false;
      // Others became a link or a submodule, or were one.
      if (!"AMD".includes(letter!) || !isPlainPath(token)) return;
      const blob = (hash: string) => /^0+$/.test(hash) ? undefined : hash;
      found.get(pair)!.push({
        path: prefix + token,
        before: blob(before!),
        after: blob(after!),
      });
      return;
    }
    // The trees of a pair stand before its first change.
    const lines = token.split("\n");
    const last = lines.pop()!;
    for (const line of lines) found.set(pair = line, []);
    if (last.startsWith(":")) change = last;
  });
  if (!isWhole) found.delete(pair);
  return found;
}

/**
 * Whether a path out of a tree or an index is one that git checks out on every system. Objects may
 * name anything, such as `..` or `.git`.
 */
export function isPlainPath(path: string): boolean {
  return !path.includes("\\") && !/^[A-Za-z]:/.test(path) &&
    path.split("/").every((name) => !["", ".", "..", ".git"].includes(name.toLowerCase()));
}
