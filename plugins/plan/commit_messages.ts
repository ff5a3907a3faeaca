/**
 * What the messages of commits say: which entities they name, which commits they revert, which
 * pull requests they merge.
 *
 * @module
 */

import { askGit } from "./git_log.ts";

/** How many commits are read: of HEAD, and of the other branches. */
const MOST_COMMITS = 10_000;
/** How long git may take, in milliseconds. */
const TIMEOUT_MS = 20_000;
/** So much of a message is looked through, and so much of its first line is kept. */
const [MOST_TEXT, MOST_SUBJECT] = [20_000, 300];

const NAME = /(?<![\w-])[A-Za-z]+-\d+(?!\w|-\d)/g;
/** The shortest hash that git writes. */
const SHORTEST = 7;
const REVERTS = /\bThis reverts commit ([0-9a-f]{7,64})\b/g;
const MERGED = [
  /^Merge pull request #(\d+) /,
  /^Merged PR (\d+):/,
  /\(#(\d+)\)$/,
] as const;

/** A commit, by its message. */
export interface Message {
  /** The full hash. */
  readonly hash: string;
  /** The author's date, ISO 8601. */
  readonly date: string;
  /** The first line. */
  readonly subject: string;
  /** Whether it has several parents. */
  readonly isMerge: boolean;
  /** Whether what is checked out contains it. */
  readonly isHere: boolean;
  /** Its place among those that were read: a newer one has a lower number. */
  readonly order: number;
  /** Whether it takes back another. */
  readonly isRevert: boolean;
}

/** What the messages of a repository say. */
export interface Messages {
  /** How many commits were read. */
  readonly count: number;
  /** The date before which not every commit was read, in milliseconds; -Infinity for none. */
  readonly from: number;
  /** The commits that name an id, newest first, those of other branches last. */
  readonly naming: ReadonlyMap<string, readonly Message[]>;
  /** The commit on HEAD that reverts another and was not reverted itself, by the other's hash. */
  readonly reverts: ReadonlyMap<string, Message>;
  /** The commits on HEAD that merged pull requests, by number. */
  readonly merges: ReadonlyMap<number, Message>;
}

/** Reads the messages of all commits on HEAD and on local and remote-tracking branches. */
export async function readMessages(cwd: string, ids: ReadonlySet<string>): Promise<Messages> {
  const [here, elsewhere] = await Promise.all([
    logOf(cwd, ["HEAD"]),
    logOf(cwd, ["--branches", "--remotes", "--not", "HEAD"]),
  ]);
  const naming = new Map<string, Message[]>();
  const reverts = new Map<string, Message>();
  const merges = new Map<number, Message>();
  const byStart = new Map(here.map(({ hash }) => [hash.slice(0, SHORTEST), hash]));
  const from = Math.max(
    ...[here, elsewhere].map((commits) =>
      commits.length < MOST_COMMITS ? -Infinity : Date.parse(commits.at(-1)!.date)
    ),
  );
  for (const [order, commit] of [...here, ...elsewhere].entries()) {
    const { text, hash, ...rest } = commit;
    const hashes = [...text.matchAll(REVERTS)].map(([, reverted]) => reverted!);
    const title = /^Revert "(.+)"/.exec(commit.subject)?.[1];
    const message = { hash, ...rest, order, isRevert: hashes.length > 0 || title !== undefined };
    for (const id of new Set(text.match(NAME)?.map((name) => name.toUpperCase()))) {
      if (!ids.has(id)) continue;
      const messages = naming.get(id);
      if (messages === undefined) naming.set(id, [message]);
      else messages.push(message);
    }
    if (!commit.isHere) continue;
    for (const pattern of MERGED) {
      const number = Number(pattern.exec(commit.subject)?.[1]);
      if (number > 0 && !merges.has(number)) merges.set(number, message);
    }
    // A revert that was reverted itself counts no more.
    if (reverts.has(hash)) continue;
    // A pull request that reverts another one, squashed, has only its title.
    if (hashes.length === 0 && title !== undefined) {
      const older = here.find(({ subject }, at) => at > order && subject === title);
      if (older !== undefined) hashes.push(older.hash);
    }
    for (const reverted of hashes) {
      const full = byStart.get(reverted.slice(0, SHORTEST)) ?? "";
      if (full.startsWith(reverted)) reverts.set(full, message);
    }
  }
  return { count: here.length + elsewhere.length, from, naming, reverts, merges };
}

type Commit = Omit<Message, "isRevert" | "order"> & { text: string };

async function logOf(cwd: string, revisions: readonly string[]): Promise<Commit[]> {
  const format = "--format=%H%x02%P%x02%aI%x02%B";
  // Newest first, and never a commit before one that is built on it.
  const args = ["log", "-z", "--topo-order", `--max-count=${MOST_COMMITS}`, format, ...revisions];
  const printed = await askGit(args, cwd, TIMEOUT_MS);
  const commits = printed.split("\0").filter((one) => one !== "");
  return commits.map((one) => {
    const [hash, parents, date, ...text] = one.split("\x02");
    const message = text.join(" ").slice(0, MOST_TEXT).trim();
    return {
      hash: hash!,
      date: date!,
      text: message,
      subject: message.split("\n", 1)[0]!.slice(0, MOST_SUBJECT),
      isMerge: parents!.includes(" "),
      isHere: revisions[0] === "HEAD",
    };
  });
}
