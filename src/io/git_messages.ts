/**
 * What git says in words alone: it ends with code 128 for all of this. The words are English,
 * because git is started with `LC_ALL=C`, and a test has the installed git say each of them.
 *
 * @module
 */

/** One of git's sentences. */
interface GitMessage {
  /** The sentence, as far as it is the same for every repository. */
  readonly pattern: RegExp;
  /** The git that says it first; an older one says something else, which is shown as it is. */
  readonly since: string;
}

/** The sentences by what they mean. */
export const GIT_MESSAGES = {
  /** There is no repository here, nor above. */
  noRepository: { pattern: /not a git repository/, since: "1.5" },
  /** The branch that is checked out has no commits. */
  noCommits: { pattern: /does not have any commits yet|ambiguous argument 'HEAD'/, since: "2.6" },
  /** The repository belongs to another user, and git does not read it. */
  otherOwner: { pattern: /dubious ownership/, since: "2.37.1" },
  /** An object is missing that a partial clone would have to download. */
  notFetched: { pattern: /from promisor remote|lazy fetching disabled/, since: "2.22" },
  /** The folder that git runs in was removed. */
  folderGone: {
    pattern: /[Uu]nable to read current working directory|cannot change to '/,
    since: "1.8",
  },
} as const satisfies Record<string, GitMessage>;

/** What git may say. */
export type GitTrouble = keyof typeof GIT_MESSAGES;

/** What git means by what it prints to stderr; `undefined` where that is not in the table. */
export function gitTrouble(stderr: string): GitTrouble | undefined {
  for (const [trouble, { pattern }] of Object.entries<GitMessage>(GIT_MESSAGES)) {
    if (pattern.test(stderr) && isTrouble(trouble)) return trouble;
  }
  return undefined;
}

function isTrouble(name: string): name is GitTrouble {
  return Object.hasOwn(GIT_MESSAGES, name);
}
