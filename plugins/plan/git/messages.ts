/** The entities that commit messages name. */

import { shortLine } from "../../../src/plain_text.ts";
import { askGit, type GitPlace } from "../../../src/io/git_ask.ts";
import {
  type CommitWalk,
  DATE_FIELD,
  leftOutSentences,
  readCommitFields,
  walkCommits,
} from "./commits.ts";
import type { Refs } from "./refs.ts";

/** How many commits of HEAD, and of other branches, are read. */
const MOST_MESSAGES = 10_000;
/** The fields that are read of a commit. */
const FIELDS = [DATE_FIELD, "%aN", "%B"];
/** How many characters of an author and of a first line are kept. */
const MOST_LINE = 300;

const ID = /(?<![\w-])[A-Za-z]+-\d+(?!\w|-\d)/g;

/**
 * Reads the messages of all commits on HEAD and on local and remote-tracking branches.
 *
 * @returns The commits, and those that name an id, newest first, those outside HEAD last; and
 * sentences about commits that were not read.
 */
export async function readMessages(
  place: GitPlace,
  { branches }: Refs,
  head: string,
  ids: ReadonlySet<string>,
) {
  const messageOf = ([date = "", author = "", body = ""]: readonly string[], hash: string) => ({
    hash,
    date,
    author: shortLine(author, MOST_LINE),
    subject: shortLine(body.trim().split("\n", 1)[0]!, MOST_LINE),
  });
  /** A commit, and whether HEAD contains it. */
  type Message = ReturnType<typeof messageOf> & { readonly isHere: boolean };
  const commits: Message[] = [];
  const naming = new Map<string, Message[]>();
  const leftOut = new Set<string>();
  /** Reads the newest commits of revisions, children before their parents. */
  const read = async (tips: readonly string[], hidden: readonly string[], isHere: boolean) => {
    const walk = await walkCommits(place, tips, hidden, MOST_MESSAGES);
    const sorted = inTopologicalOrder(walk.commits);
    const { values, unread } = await readCommitFields(
      place,
      sorted,
      FIELDS,
      (fields, hash) => ({
        message: { ...messageOf(fields, hash), isHere },
        names: fields[2]?.match(ID) ?? [],
      }),
    );
    for (const { message, names } of values.values()) {
      commits.push(message);
      for (const id of new Set(names.map((name) => name.toUpperCase())).intersection(ids)) {
        naming.getOrInsert(id, []).push(message);
      }
    }
    const all = new Map([...walk.leftOut, ...unread]);
    for (const sentence of leftOutSentences({ leftOut: all, isCut: false })) leftOut.add(sentence);
  };
  await read([head], [], true);
  // Git's own option for all branches fails if one of them is broken.
  await read(branches.map(({ commit }) => commit), [head], false);
  return { commits, naming, leftOut: [...leftOut] };
}

/** Sorts commits as `git log --topo-order` does: lines of history stay together. */
function inTopologicalOrder(commits: CommitWalk["commits"]): string[] {
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

/** How many characters of a commit that names an entity are shown. */
const MOST_NAMING = 100;

/**
 * Returns the date of the newest commit that names an id, and its short hash and subject; `undefined`
 * if there is none, or without git.
 *
 * @param id An id of letters, digits, `_`, `.` and `-`.
 */
export async function lastCommitNaming(place: GitPlace, id: string) {
  const pattern = `(^|[^[:alnum:]_-])${id.replaceAll(".", () => "\\.")}($|[^[:alnum:]_-])`;
  const args = ["log", "--all", "-1", "--extended-regexp", "--regexp-ignore-case"];
  const asked = [...args, `--grep=${pattern}`, "--format=%cI %h %s", "--"];
  const [line = ""] = (await askGit(asked, place).catch(() => "")).split("\n");
  const [, date, text] = /^(\S+) (.+)$/.exec(line) ?? [];
  return text === undefined ? undefined : { date: date!, text: shortLine(text, MOST_NAMING) };
}
