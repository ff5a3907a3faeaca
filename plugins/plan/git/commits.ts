/**
 * Walks commits and reads their fields. Sizes are checked before git prints anything, and limits apply
 * to the whole answer: commits beyond them are left out, with the reason.
 */

import { countAndLimit } from "../../../src/plain_text.ts";
import { join } from "node:path";
import { orElse } from "../../../src/errors.ts";
import { gitError, type GitPlace, gitTrouble } from "../../../src/io/git_ask.ts";
import {
  checkObjects,
  MOST_COMMIT,
  MOST_LARGE,
  readLargeCommit,
} from "../../../src/io/git_objects.ts";
import { repositoryOf } from "../../../src/io/git_settings.ts";
import { SIZE_LIMITS } from "../../../src/io/read.ts";
import { shortList } from "../../../src/plugin/counted.ts";
import { detached } from "../entity/tag.ts";
import { readTokens, streamTokens } from "./tokens.ts";

/** The most commits that are walked, and the most bytes of those that are read. */
const [MOST_WALKED, MOST_READ_BYTES] = [60_000, 64 * 1024 * 1024];
/** How long git walks, in milliseconds: the commits until then are the newest. */
const WALK_MS = 5000;
/** The largest file of authors' other names that git reads, in bytes. */
const MOST_MAILMAP = 1024 * 1024;
const CUT = `at most ${MOST_WALKED / 1000},000, for at most ${WALK_MS / 1000} seconds`;
/** How many commits a message names. */
export const NAMED_COMMITS = 5;
/**
 * The date of a commit, ISO 8601 in the zone that git wrote: when it was committed, which is newer
 * than when its change was written if it was rebased.
 */
export const DATE_FIELD = "%cI";
/** What `%x02` prints between the fields of a commit. */
const FIELD_SEPARATOR = "\x02";

export const MISSING = "Objects are missing or damaged: run git fsck";
const TOO_LARGE = `It has more than ${SIZE_LIMITS.plan / 1024} kB of text`;

/** The position of a commit in the history. */
interface WalkedCommit {
  readonly hash: string;
  readonly tree: string;
  readonly parents: readonly string[];
}

export interface CommitWalk {
  /** Newest first. */
  readonly commits: ReadonlyMap<string, WalkedCommit>;
  /** Why commits were left out, by their hashes. */
  readonly leftOut: ReadonlyMap<string, string>;
  /** Whether there are older commits that were not walked. */
  readonly isCut: boolean;
}

/**
 * Walks commits and all that they contain, newest first. Git ends where a commit is too large for
 * it; the walk goes on from the parents of that one.
 *
 * @param tips Full hashes.
 * @param hidden Commits that are not walked, with all that they contain.
 */
export async function walkCommits(
  place: GitPlace,
  tips: readonly string[],
  hidden: readonly string[] = [],
  most: number = MOST_WALKED,
): Promise<CommitWalk> {
  const commits = new Map<string, WalkedCommit>();
  const leftOut = new Map<string, string>();
  const end = performance.now() + WALK_MS;
  let large = MOST_LARGE;
  // A single step leads to the large commit that has ended a walk.
  let isStep = false;
  for (let next = [...new Set(tips)]; next.length > 0;) {
    const parents = new Set<string>();
    const walked: string[] = [];
    for (const [hash, facts] of await checkObjects(place, next)) {
      if (facts === undefined) throw gitError({ stderr: "" }, place.cwd);
      if (facts.size <= MOST_COMMIT) {
        walked.push(hash);
        continue;
      }
      if (hidden.length > 0) return await walkDifference(place, tips, hidden, most);
      leftOut.set(facts.hash, TOO_LARGE);
      large -= facts.size;
      if (large < 0) continue;
      const commit = await readLargeCommit(place, facts.hash);
      commits.set(commit.hash, commit);
      commit.parents.forEach((parent) => parents.add(parent));
    }
    const reached = new Set(walked);
    const ended = await logCommits(place, walked, hidden, isStep, (commit) => {
      commits.set(commit.hash, commit);
      commit.parents.forEach((parent) => reached.add(parent));
      return commits.size < most && performance.now() < end;
    });
    if (ended === "enough") return { commits, leftOut, isCut: true };
    if (ended === "large" && hidden.length > 0) {
      return await walkDifference(place, tips, hidden, most);
    }
    const isOpen = ended === "large" || isStep;
    isStep = ended === "large";
    next = [...isOpen ? parents.union(reached) : parents]
      .filter((hash) => !commits.has(hash) && !leftOut.has(hash));
  }
  return { commits, leftOut, isCut: false };
}

/** The commits that others do not contain, where git cannot tell. */
async function walkDifference(
  place: GitPlace,
  tips: readonly string[],
  hidden: readonly string[],
  most: number,
): Promise<CommitWalk> {
  const contained = await walkCommits(place, hidden);
  const walk = await walkCommits(place, tips);
  const others = [...walk.commits].filter(([hash]) => !contained.commits.has(hash));
  const commits = new Map(others.slice(0, most));
  const leftOut = new Map([...walk.leftOut].filter(([hash]) => !contained.leftOut.has(hash)));
  return { commits, leftOut, isCut: walk.isCut || contained.isCut };
}

/** Lists commits with git; says whether it listed all, there were enough, or one is too large. */
async function logCommits(
  place: GitPlace,
  tips: readonly string[],
  hidden: readonly string[],
  isStep: boolean,
  take: (commit: WalkedCommit) => boolean,
): Promise<"all" | "enough" | "large"> {
  if (tips.length === 0) return "all";
  const args = ["log", "-z", "--format=%H %T %P", ...isStep ? ["--no-walk=unsorted"] : []];
  const input = [...tips, ...hidden.map((hash) => `^${hash}`), ""].join("\n");
  const result = await streamTokens([...args, "--stdin"], { ...place, input }, (token) => {
    const [hash, tree, ...parents] = token.trimEnd().split(" ");
    if (tree === undefined) return;
    // Copies that do not keep git's output in memory.
    return take(detached({ hash: hash!, tree, parents }));
  });
  if (result === undefined) return "enough";
  if (result.code === 0) return "all";
  if (gitTrouble(result.stderr) !== "tooLarge" || isStep) throw gitError(result, place.cwd);
  return "large";
}

/** How much of a field is looked at, in characters. */
const MOST_FIELD = 20_000;

/**
 * Reads fields of commits.
 *
 * @param format The fields in git's placeholders; the last one may have anything in it.
 * @param valueOf Makes a value of the fields of a commit.
 * @returns The values by the commits' hashes, and why commits were left out.
 */
export async function readCommitFields<Value>(
  place: GitPlace,
  hashes: readonly string[],
  format: readonly string[],
  valueOf: (fields: readonly string[], hash: string) => Value,
): Promise<{ values: Map<string, Value>; unread: Map<string, string> }> {
  const values = new Map<string, Value>();
  const unread = new Map<string, string>();
  const wanted: string[] = [];
  const beyond: string[] = [];
  let bytes = 0;
  for (const [hash, facts] of await checkObjects(place, hashes)) {
    const size = facts?.size ?? 0;
    if (facts?.type !== "commit") unread.set(hash, MISSING);
    else if (size > SIZE_LIMITS.plan) unread.set(hash, TOO_LARGE);
    else {
      bytes += size;
      (bytes > MOST_READ_BYTES ? beyond : wanted).push(hash);
    }
  }
  const tooMuch = `All commits have ${countAndLimit(bytes, "bytes of text", MOST_READ_BYTES)}`;
  for (const hash of beyond) unread.set(hash, tooMuch);
  if (wanted.length === 0) return { values, unread };
  const fields = ["%H", ...format].join("%x02").replace("%aN", () => authorField(place));
  const args = ["log", "--no-walk=unsorted", "-z", `--format=${fields}`];
  const input = [...wanted, ""].join("\n");
  await readTokens([...args, "--stdin"], { ...place, input }, (token) => {
    const [hash = "", ...fields] = token.split(FIELD_SEPARATOR);
    const last = fields.splice(format.length - 1).join(" ");
    const texts = [...fields, last].map((field) => field.slice(0, MOST_FIELD));
    // Copies that do not keep git's output in memory.
    values.set(detached(hash), detached(valueOf(texts, hash)));
  });
  return { values, unread };
}

/** The author's name as `.mailmap` says, unless git would take minutes to read that. */
function authorField({ cwd }: GitPlace): string {
  const top = repositoryOf(cwd);
  if (top === undefined) return "%aN";
  const size = orElse(() => Deno.statSync(join(top, ".mailmap")).size, 0);
  return size > MOST_MAILMAP ? "%an" : "%aN";
}

/** Says which commits were left out, and why. */
export function leftOutSentences({ leftOut, isCut }: Omit<CommitWalk, "commits">): string[] {
  const sentences = [...Map.groupBy(leftOut, ([, reason]) => reason)].map(([reason, all]) => {
    const hashes = shortList(all.map(([hash]) => hash.slice(0, 7)), NAMED_COMMITS);
    return `Left out ${all.length === 1 ? "the commit" : "commits"} ${hashes}: ${reason}`;
  });
  return isCut ? [...sentences, `Only the newest commits were read: ${CUT}`] : sentences;
}
