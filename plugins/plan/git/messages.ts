/** The entities, reverts and pull requests that commit messages name. */

import { runGit } from "../../../src/io/git.ts";
import { shortLine } from "../../../src/plain_text.ts";
import { gitError, type GitPlace } from "../../../src/io/git_ask.ts";
import type { Refs } from "./refs.ts";

/** How many commits of HEAD, and of other branches, are read. */
const MOST_COMMITS = 10_000;
const TIMEOUT_MS = 20_000;
/** How many characters of a message, and of its first line, are read. */
const [MOST_TEXT, MOST_SUBJECT] = [20_000, 300];

const ID = /(?<![\w-])[A-Za-z]+-\d+(?!\w|-\d)/g;
const REVERTS = /\bThis reverts commit ([0-9a-f]{40,64})\b/g;
const MERGED = /^Merge pull request #(\d+) |\(#(\d+)\)$/;

/** A commit, by its message. */
export interface Message {
  readonly hash: string;
  /** The author's date, ISO 8601. */
  readonly date: string;
  /** The first line. */
  readonly subject: string;
  readonly author: string;
  readonly isMerge: boolean;
  /** Whether HEAD contains it. */
  readonly isHere: boolean;
  /** The position in the log: newer commits have lower numbers. */
  readonly order: number;
  readonly isRevert: boolean;
}

/** What the messages of a repository name. */
export interface Messages {
  /** The commits that were read, newest first, those outside HEAD last. */
  readonly commits: readonly Message[];
  /** All commits since then were read, in milliseconds; -Infinity for all commits. */
  readonly from: number;
  /** The commits that name an id, newest first, those outside HEAD last. */
  readonly naming: ReadonlyMap<string, readonly Message[]>;
  /** The unreverted reverts on HEAD, by the hash of the reverted commit. */
  readonly reverts: ReadonlyMap<string, Message>;
  /** The commits on HEAD that merged pull requests, by number. */
  readonly merges: ReadonlyMap<number, Message>;
}

/** Reads the messages of all commits on HEAD and on local and remote-tracking branches. */
export async function readMessages(
  place: GitPlace,
  { branches }: Refs,
  ids: ReadonlySet<string>,
): Promise<Messages> {
  const logs = await Promise.all([
    readLog(place, ["HEAD"]),
    // Git's own option for all branches fails if one of them is broken.
    readLog(place, [...branches.map(({ commit }) => commit), "^HEAD"]),
  ]);
  const read = logs.flat();
  const commits: Message[] = [];
  const from = Math.max(
    ...logs.map((log) => log.length < MOST_COMMITS ? -Infinity : Date.parse(log.at(-1)!.date)),
  );
  const naming = new Map<string, Message[]>();
  const reverts = new Map<string, Message>();
  const merges = new Map<number, Message>();
  for (const [order, { text, ...commit }] of read.entries()) {
    const reverted = [...text.matchAll(REVERTS)].map(([, hash]) => hash!);
    const isRevert = reverted.length > 0 || commit.subject.startsWith('Revert "');
    const isHere = order < logs[0].length;
    const message = { ...commit, order, isHere, isRevert };
    commits.push(message);
    for (const id of new Set(text.match(ID)?.map((name) => name.toUpperCase()))) {
      if (!ids.has(id)) continue;
      naming.getOrInsert(id, []).push(message);
    }
    if (!isHere) continue;
    const [, merged, squashed] = MERGED.exec(message.subject) ?? [];
    const number = Number(merged ?? squashed);
    if (number > 0 && !merges.has(number)) merges.set(number, message);
    // A reverted revert has no effect.
    if (reverts.has(message.hash)) continue;
    for (const hash of reverted) reverts.set(hash, message);
  }
  return { commits, from, naming, reverts, merges };
}

async function readLog(place: GitPlace, revisions: readonly string[]) {
  const format = "--format=%H%x02%P%x02%aI%x02%aN%x02%B";
  // Newest first; reverts always come before what they revert.
  const args = ["log", "-z", "--topo-order", `--max-count=${MOST_COMMITS}`, format, "--stdin"];
  const input = `${revisions.join("\n")}\n`;
  const result = await runGit(args, { ...place, input, timeoutMs: TIMEOUT_MS });
  if (result.code !== 0) throw gitError(result, place.cwd);
  const commits = new TextDecoder().decode(result.stdout).split("\0").filter((one) => one !== "");
  return commits.map((commit) => {
    const [hash, parents, date, author, ...body] = commit.split("\x02");
    const text = body.join(" ").slice(0, MOST_TEXT).trim();
    return {
      hash: hash!,
      date: date!,
      author: shortLine(author!, MOST_SUBJECT),
      text,
      subject: shortLine(text.split("\n", 1)[0]!, MOST_SUBJECT),
      isMerge: parents!.includes(" "),
    };
  });
}
