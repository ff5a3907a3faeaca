/** Compares trees of a repository: which files differ, read as git prints them. */

import { gitError, type GitPlace } from "../../../src/io/git_ask.ts";
import { type GitOptions, runGit } from "../../../src/io/git.ts";

/** Renames are detected by entity id instead. */
const RAW = ["-z", "--raw", "--no-abbrev", "--no-renames", "--no-color", "-O/dev/null"];
/** The most output of git in bytes; it is streamed. */
const MAX_OUTPUT = 4 * 1024 * 1024 * 1024;
/** The most files that differ in all commits of one question. */
const MOST_DIFFERENCES = 1_000_000;

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

/** Compares counted trees, each pair once; stops after too many differences. */
export async function differencesOf(
  place: GitPlace,
  prefix: string,
  compared: readonly Comparison[],
): Promise<Map<string, FileDifference[]>> {
  const found = new Map<string, FileDifference[]>();
  const pairs = new Set(
    compared.flatMap(({ froms, to }) => froms.map((from) => `${from} ${to}`)),
  );
  for (const pair of pairs) {
    const [from, to] = pair.split(" ");
    if (from !== to) continue;
    pairs.delete(pair);
    found.set(pair, []);
  }
  if (pairs.size === 0) return found;
  const args = ["diff-tree", "--stdin", "-r", ...RAW, "--"];
  const input = [...pairs, ""].join("\n");
  let left = MOST_DIFFERENCES;
  let pair = "";
  let change: string | undefined;
  try {
    await readTokens(args, { ...place, input }, (token) => {
      if (change !== undefined) {
        const [, , before, after, letter] = change.split(" ");
        change = undefined;
        if (left-- <= 0) throw new TooManyError();
        // Others became a link or a submodule, or were one.
        if (!"AMD".includes(letter!)) return;
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
  } catch (error) {
    if (!(error instanceof TooManyError)) throw error;
    found.delete(pair);
  }
  return found;
}

/** Git has printed enough. */
class TooManyError extends Error {}

/** Runs git, and takes its output as it arrives, split at each NUL. */
export async function readTokens(
  args: readonly string[],
  options: GitOptions,
  take: (token: string) => void,
): Promise<void> {
  const decoder = new TextDecoder();
  let held = "";
  const result = await runGit(args, {
    ...options,
    limit: MAX_OUTPUT,
    take: (piece) => {
      const text = decoder.decode(piece, { stream: true });
      const tokens = text.includes("\0") ? (held + text).split("\0") : [held + text];
      held = tokens.pop()!;
      tokens.forEach(take);
    },
  });
  if (result.code !== 0) throw gitError(result, options.cwd);
  if (held !== "") take(held);
}
