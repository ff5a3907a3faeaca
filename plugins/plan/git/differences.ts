/** Compares trees of a repository: which files differ, read as git prints them. */

import type { GitPlace } from "../../../src/io/git_ask.ts";
import type { PlanTrees } from "../../../src/io/git_trees.ts";
import { inTurns } from "../../../src/io/turns.ts";
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

/** A file that differs. Paths are relative to the repository. */
export interface FileChange {
  /** Added, modified, deleted, or changed by a merge to something that no parent has. */
  readonly kind: "A" | "M" | "D" | "merge";
  readonly path: string;
  /** The blobs before: one per parent, none for an added file. */
  readonly before: readonly string[];
  /** The blob after; `undefined` for a deleted file. */
  readonly after: string | undefined;
}

/** A file that differs in two trees. */
export function fileChange(
  path: string,
  before: string | undefined,
  after: string | undefined,
): FileChange {
  if (before === undefined) return { kind: "A", path, before: [], after };
  return { kind: after === undefined ? "D" : "M", path, before: [before], after };
}

/**
 * Compares trees that were counted, each pair once, those with the fewest files first. The pairs that
 * remain when there are too many differences are left out.
 */
export async function differencesOf(
  place: GitPlace,
  { prefix, mostBetween }: Pick<PlanTrees, "prefix" | "mostBetween">,
  compared: readonly Comparison[],
): Promise<Map<string, FileChange[]>> {
  const differences = new Map<string, FileChange[]>();
  const pairs = new Map<string, number>();
  for await (const { froms, to } of inTurns(compared, place.signal)) {
    for (const from of froms) {
      if (from === to) differences.set(`${from} ${to}`, []);
      else pairs.set(`${from} ${to}`, mostBetween(from, to));
    }
  }
  if (pairs.size === 0) return differences;
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
      differences.get(pair)!.push(fileChange(prefix + token, blob(before!), blob(after!)));
      return;
    }
    // The trees of a pair stand before its first change.
    const lines = token.split("\n");
    const last = lines.pop()!;
    for (const line of lines) differences.set(pair = line, []);
    if (last.startsWith(":")) change = last;
  });
  if (!isWhole) differences.delete(pair);
  return differences;
}

/**
 * Whether a path out of a tree or an index is one that git checks out on every system. Objects may
 * name anything, such as `..` or `.git`.
 */
export function isPlainPath(path: string): boolean {
  return !path.includes("\\") && !/^[A-Za-z]:/.test(path) &&
    path.split("/").every((name) => !["", ".", "..", ".git"].includes(name.toLowerCase()));
}
