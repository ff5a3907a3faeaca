/**
 * Matches git error messages; git exits with code 128 for all of these. They are in English because
 * git runs with `LC_ALL=C`. A test provokes each in the installed git. Unknown messages are shown
 * unchanged.
 */

export const GIT_MESSAGES = {
  /** There is no repository here or in a parent folder. */
  noRepository: /not a git repository/,
  /** The current branch has no commits. */
  noCommits: /does not have any commits yet|ambiguous argument 'HEAD'/,
  /** The repository belongs to another user. */
  otherOwner: /dubious ownership/,
  /** A partial clone lacks an object. */
  notFetched: /from promisor remote|lazy fetching disabled/,
  /** The working directory was removed. */
  folderGone: /[Uu]nable to read current working directory|cannot change to '/,
} as const satisfies Record<string, RegExp>;

export type GitTrouble = keyof typeof GIT_MESSAGES;

/** The meaning of git's stderr; `undefined` for unknown messages. */
export function gitTrouble(stderr: string): GitTrouble | undefined {
  const names = Object.keys(GIT_MESSAGES) as GitTrouble[];
  return names.find((name) => GIT_MESSAGES[name].test(stderr));
}
