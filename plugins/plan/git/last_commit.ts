/** Finds the newest commit on any known branch whose message names an entity. */

import { shortLine } from "../../../src/plain_text.ts";
import { askGit, type GitPlace } from "../../../src/io/git_ask.ts";

/** A commit. */
export interface NamingCommit {
  /** ISO 8601. */
  readonly date: string;
  /** The short hash and the subject. */
  readonly text: string;
}

const MAX_TEXT = 100;

/**
 * Returns the newest commit that names an id; `undefined` if there is none, or without git.
 *
 * @param id An id of letters, digits, `_`, `.` and `-`.
 */
export async function lastCommitNaming(
  place: GitPlace,
  id: string,
): Promise<NamingCommit | undefined> {
  const pattern = `(^|[^[:alnum:]_-])${id.replaceAll(".", () => "\\.")}($|[^[:alnum:]_-])`;
  const args = ["log", "--all", "-1", "--extended-regexp", "--regexp-ignore-case"];
  const asked = [...args, `--grep=${pattern}`, "--format=%cI %h %s", "--"];
  const [line = ""] = (await askGit(asked, place).catch(() => "")).split("\n");
  const [, date, text] = /^(\S+) (.+)$/.exec(line) ?? [];
  return text === undefined ? undefined : { date: date!, text: shortLine(text, MAX_TEXT) };
}
