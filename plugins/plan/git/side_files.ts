/** The files that a branch has changed since its merge base with another, as a merge meets them. */

import { RefraktError } from "../../../src/errors.ts";
import type { GitPlace } from "../../../src/io/git_ask.ts";
import { readTexts } from "../../../src/io/git_objects.ts";
import { inTurns } from "../../../src/io/turns.ts";
import { countAndLimit } from "../../../src/plain_text.ts";
import { read } from "../entity/document.ts";
import { validationError } from "../entity/values.ts";
import { inPlan } from "./events.ts";
import { readDifferences, readRepository } from "./log.ts";
import { mergeBase } from "./refs.ts";

/** The most files that a side may have changed. */
const MOST_SIDE_FILES = 1_000;

/** A file that a branch has changed; without `text` if removed, without `base` if added. */
export interface SideFile {
  readonly path: string;
  /** The path of the base. */
  readonly basePath: string;
  readonly base: string | undefined;
  readonly text: string | undefined;
}

/**
 * The changes of a commit since its merge base with another, by id: a file may have moved.
 *
 * @throws {RefraktError} `NOT_FOUND` without a merge base, `VALIDATION_ERROR` for too many files.
 */
export async function sideFiles(
  git: GitPlace,
  commit: string,
  other: string,
): Promise<Map<string, SideFile>> {
  const base = await mergeBase(git, commit, other);
  if (base === undefined) {
    throw new RefraktError("NOT_FOUND", "The two commits have no common ancestor", {
      hint: "A shallow clone may lack it: run git fetch --unshallow.",
    });
  }
  const { prefix } = await readRepository(git);
  const { changes: differences, failed } = await readDifferences(git, [[commit, base]]);
  const [why] = failed.values();
  if (why !== undefined) throw new RefraktError("VALIDATION_ERROR", `Git cannot compare: ${why}`);
  const changes = differences.get(commit)!.filter(({ path }) => path.endsWith(".md"));
  if (changes.length > MOST_SIDE_FILES) {
    const files = countAndLimit(changes.length, "files of the plan", MOST_SIDE_FILES);
    throw validationError(`Too many files differ: ${files}`, "Pass commits that differ less.");
  }
  const blobs = changes.flatMap(({ before, after = [] }) => before.concat(after));
  const texts = await readTexts(git, blobs);
  const textOf = (blob: string | undefined) => blob && texts.get(blob);
  const sides = new Map<string, SideFile>();
  for await (const change of inTurns(changes, git.signal)) {
    const base = textOf(change.before[0]);
    const text = textOf(change.after);
    const path = inPlan(prefix, change.path);
    const id = read(text ?? base ?? "").entity?.id ?? path;
    const last = sides.get(id);
    sides.set(id, {
      path: text === undefined ? last?.path ?? path : path,
      basePath: base === undefined ? last?.basePath ?? path : path,
      base: last?.base ?? base,
      text: last?.text ?? text,
    });
  }
  return sides;
}
