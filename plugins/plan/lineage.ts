/**
 * The changes of one entity's file, through its renames, also from folders where
 * the plan was before.
 *
 * @module
 */

import { posix } from "node:path";
import { type FileChange, readChanges, readOrigin } from "./git_log.ts";

/** How many moves of the whole plan are followed. */
const MOST_MOVES = 8;

/** What is asked for. */
export interface LineageQuery {
  /** The directory that git runs in, absolute. */
  readonly cwd: string;
  /** The plan's folder, relative to `cwd`. */
  readonly folder: string;
  /** The plan's folder as git writes it, with a slash at the end. */
  readonly prefix: string;
  /** The entity's file, relative to the plan. */
  readonly file: string;
  /** Ends git when it aborts. */
  readonly signal: AbortSignal;
}

/**
 * Reads the changes, newest first.
 *
 * @param whole The changes of the plan's folder as it is now.
 */
export async function entityChanges(
  whole: readonly FileChange[],
  query: LineageQuery,
): Promise<FileChange[]> {
  const { cwd, folder, prefix, file, signal } = query;
  const root = prefix.slice(0, prefix.length - (folder === "." ? 0 : folder.length + 1));
  const found: FileChange[] = [];
  let place = folder;
  let changes = lineOf(whole, prefix + file);
  for (let moves = 0; moves < MOST_MOVES; moves++) {
    const first = changes.at(-1);
    if (first?.kind !== "A") break;
    const origin = await readOrigin({ cwd, path: place, from: first.hash, signal }, first.path);
    if (origin?.oldPath === undefined) break;
    found.push(...changes.slice(0, -1), origin);
    place = posix.relative(root, folderBefore(origin.path, origin.oldPath)) || ".";
    const earlier = { cwd, path: place, from: `${origin.hash}^`, signal };
    changes = lineOf(await readChanges(earlier), origin.oldPath);
  }
  return [...found, ...changes];
}

/** The changes of the file that has a name now, under the names that it had before. */
function lineOf(changes: readonly FileChange[], path: string): FileChange[] {
  const names = new Set([path]);
  return changes.filter((change) => {
    if (!names.has(change.path)) return false;
    if (change.oldPath !== undefined) names.add(change.oldPath);
    return true;
  });
}

/** Where the plan was before a move: what is left of the old path without the end that both share. */
function folderBefore(path: string, oldPath: string): string {
  const [now, before] = [path.split("/"), oldPath.split("/")];
  while (before.length > 1 && now.at(-1) === before.at(-1)) {
    now.pop();
    before.pop();
  }
  const moved = before.length === oldPath.split("/").length;
  return moved ? posix.dirname(oldPath) : before.join("/");
}
