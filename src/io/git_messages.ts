/**
 * What git says in words alone: it ends with code 128 for all of this. The words are English,
 * because git is started with `LC_ALL=C`, and a test has the installed git say each of them. Where
 * another version says something else, that is shown as it is.
 *
 * @module
 */

/** The sentences by what they mean, as far as they are the same for every repository. */
export const GIT_MESSAGES = {
  /** There is no repository here, nor above. */
  noRepository: /not a git repository/,
  /** The branch that is checked out has no commits. */
  noCommits: /does not have any commits yet|ambiguous argument 'HEAD'/,
  /** The repository belongs to another user, and git does not read it. */
  otherOwner: /dubious ownership/,
  /** An object is missing that a partial clone would have to download. */
  notFetched: /from promisor remote|lazy fetching disabled/,
  /** The folder that git runs in was removed. */
  folderGone: /[Uu]nable to read current working directory|cannot change to '/,
} as const satisfies Record<string, RegExp>;

/** What git may say. */
export type GitTrouble = keyof typeof GIT_MESSAGES;

/** What git means by what it prints to stderr; `undefined` where that is not in the table. */
export function gitTrouble(stderr: string): GitTrouble | undefined {
  const names = Object.keys(GIT_MESSAGES) as GitTrouble[];
  return names.find((name) => GIT_MESSAGES[name].test(stderr));
}
