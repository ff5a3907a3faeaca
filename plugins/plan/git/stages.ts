/** The files that a merge, rebase or cherry-pick has left in conflict, from git's index. */

import { quoted } from "../../../src/plain_text.ts";
import { askGit, type GitPlace } from "../../../src/io/git_ask.ts";
import { readTexts } from "../../../src/io/git_objects.ts";
import { isPlainPath } from "./differences.ts";

/** A file in conflict; a version is `undefined` where the file does not exist. */
export interface UnmergedFile {
  /** Relative to the folder that was asked for. */
  readonly path: string;
  readonly base: string | undefined;
  readonly ours: string | undefined;
  readonly theirs: string | undefined;
}

/** The running operation of git, and the two sides of its conflicts. */
export interface Operation {
  readonly name: "merge" | "rebase" | "cherry-pick" | "revert" | "unknown";
  readonly ours: string;
  readonly theirs: string;
}

const STAGES = ["base", "ours", "theirs"] as const;

/** Reads the Markdown files in conflict below a folder, with the texts of their versions. */
export async function readUnmerged(place: GitPlace): Promise<UnmergedFile[]> {
  const printed = await askGit(["ls-files", "--unmerged", "-z", "--", "."], place);
  const files = new Map<string, Partial<Record<typeof STAGES[number], string>>>();
  for (const row of printed.split("\0")) {
    const [, blob, stage, path] = /^\S+ (\S+) ([123])\t([^]+)$/.exec(row) ?? [];
    if (path === undefined || !path.endsWith(".md") || !isPlainPath(path)) continue;
    files.set(path, { ...files.get(path), [STAGES[Number(stage) - 1]!]: blob! });
  }
  const blobs = [...files.values()].flatMap((blobs) => Object.values(blobs));
  const texts = await readTexts(place, blobs);
  const textOf = (blob: string | undefined) => blob && texts.get(blob);
  return [...files].map(([path, { base, ours, theirs }]) => (
    { path, base: textOf(base), ours: textOf(ours), theirs: textOf(theirs) }
  ));
}

/** The refs that git writes during an operation. */
const HEADS = {
  REBASE_HEAD: "rebase",
  MERGE_HEAD: "merge",
  CHERRY_PICK_HEAD: "cherry-pick",
  REVERT_HEAD: "revert",
} as const;

/** Says which side is which: during a rebase, "theirs" is the user's own commit. */
export async function readOperation(place: GitPlace): Promise<Operation> {
  for (const [head, name] of Object.entries(HEADS)) {
    const args = ["log", "-1", "--format=%h %s", head, "--"];
    const printed = await askGit(args, place).catch(() => "");
    if (printed === "") continue;
    const [, hash, subject] = /^(\S+) (.*)/.exec(printed) ?? ["", printed.trim(), ""];
    const commit = `${hash} ${quoted(subject!)}`;
    if (name === "rebase") {
      const ours = "the branch that the commits are moved onto";
      return { name, ours, theirs: `your commit ${commit}` };
    }
    return { name, ours: "the checked-out branch", theirs: commit };
  }
  return { name: "unknown", ours: "the checked-out branch", theirs: "the other version" };
}
