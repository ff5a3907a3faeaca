/** The entities that commit messages name. */

import { shortLine } from "../../../src/plain_text.ts";
import type { GitPlace } from "../../../src/io/git_ask.ts";
import { detached } from "../entity/tag.ts";
import {
  DATE_FIELD,
  leftOutSentences,
  readCommitFields,
  type Walk,
  walkCommits,
} from "./commits.ts";
import type { Refs } from "./refs.ts";

/** How many commits of HEAD, and of other branches, are read. */
const MOST_COMMITS = 10_000;
/** The fields that are read of a commit. */
const FIELDS = [DATE_FIELD, "%aN", "%B"];
/** How many characters of a message, and of its first line, are read. */
const [MOST_TEXT, MOST_SUBJECT] = [20_000, 300];

const ID = /(?<![\w-])[A-Za-z]+-\d+(?!\w|-\d)/g;

/** A commit, by its message. */
export interface Message {
  readonly hash: string;
  /** {@linkcode DATE_FIELD} */
  readonly date: string;
  /** The first line. */
  readonly subject: string;
  readonly author: string;
  /** Whether HEAD contains it. */
  readonly isHere: boolean;
}

/** What the messages of a repository name. */
export interface Messages {
  /** The commits that were read, newest first, those outside HEAD last. */
  readonly commits: readonly Message[];
  /** The commits that name an id, newest first, those outside HEAD last. */
  readonly naming: ReadonlyMap<string, readonly Message[]>;
  /** Sentences about commits that were not read. */
  readonly leftOut: readonly string[];
}

/** Reads the messages of all commits on HEAD and on local and remote-tracking branches. */
export async function readMessages(
  place: GitPlace,
  { branches }: Refs,
  head: string,
  ids: ReadonlySet<string>,
): Promise<Messages> {
  const commits: Message[] = [];
  const naming = new Map<string, Message[]>();
  const leftOut = new Set<string>();
  /** Reads the newest commits of revisions, children before their parents. */
  const read = async (tips: readonly string[], hidden: readonly string[], isHere: boolean) => {
    const walk = await walkCommits(place, tips, hidden, MOST_COMMITS);
    const sorted = inTopologicalOrder(walk.commits);
    const take = (hash: string, [date, author, body]: readonly string[]) => {
      const text = body!.slice(0, MOST_TEXT).trim();
      // A copy that does not keep git's output in memory.
      const message: Message = detached({
        hash,
        date: date!,
        author: shortLine(author!.slice(0, MOST_TEXT), MOST_SUBJECT),
        subject: shortLine(text.split("\n", 1)[0]!, MOST_SUBJECT),
        isHere,
      });
      commits.push(message);
      const names = new Set(text.match(ID)?.map((name) => name.toUpperCase()));
      for (const id of names.intersection(ids)) naming.getOrInsert(id, []).push(message);
    };
    const unread = await readCommitFields(place, sorted, FIELDS, take);
    const all = new Map([...walk.leftOut, ...unread]);
    for (const sentence of leftOutSentences({ leftOut: all, isCut: false })) leftOut.add(sentence);
  };
  await read([head], [], true);
  // Git's own option for all branches fails if one of them is broken.
  await read(branches.map(({ commit }) => commit), [head], false);
  return { commits, naming, leftOut: [...leftOut] };
}

/** Sorts commits as `git log --topo-order` does: lines of history stay together. */
function inTopologicalOrder(commits: Walk["commits"]): string[] {
  const children = new Map<string, number>();
  for (const { parents } of commits.values()) {
    for (const parent of parents) children.set(parent, (children.get(parent) ?? 0) + 1);
  }
  const stack = [...commits.keys()].filter((hash) => !children.has(hash)).reverse();
  const sorted: string[] = [];
  for (let hash = stack.pop(); hash !== undefined; hash = stack.pop()) {
    sorted.push(hash);
    for (const parent of commits.get(hash)?.parents ?? []) {
      const rest = children.get(parent)! - 1;
      children.set(parent, rest);
      if (rest === 0 && commits.has(parent)) stack.push(parent);
    }
  }
  return sorted;
}
