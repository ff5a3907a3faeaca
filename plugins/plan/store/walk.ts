/**
 * Walks the files of a plan. The plan's store, the count of its entities and the question whether it
 * needs repair all use this walk.
 */

import { join, sep } from "node:path";
import { orElse } from "../../../src/errors.ts";
import { isTemporaryName, statIfExists } from "../../../src/io/files.ts";
import { repositoryOf } from "../../../src/io/git_settings.ts";
import { isInside, isNotFound, realPathOf } from "../../../src/io/paths.ts";
import { readFound } from "../../../src/io/read.ts";
import { noteRead } from "../../../src/io/reads.ts";
import { inTurns } from "../../../src/io/turns.ts";
import type { Project } from "../../../src/plugin/project.ts";
import { hasEntity } from "../entity/types.ts";

/** Something in a plan; paths are relative to it, with `/`, and `real` is a real path. */
type PlanEntry =
  | { readonly kind: "file"; readonly file: string; readonly real: string }
  /** Before it is listed. */
  | { readonly kind: "folder"; readonly real: string }
  /** One of our temporary files. */
  | { readonly kind: "temporary"; readonly real: string }
  /** A folder that cannot be listed; empty for the plan itself. */
  | { readonly kind: "unreadable"; readonly file: string; readonly error: unknown }
  | { readonly kind: "other" };

/**
 * Walks a plan in short steps: its Markdown files in the order of their paths. Skips links that are
 * broken, leave the project, or lead to a folder that is walked anyway.
 *
 * @param root The project, real and absolute.
 * @param dir The plan, absolute.
 * @throws {Deno.errors.NotFound} If the plan does not exist.
 */
export function* walkPlan(root: string, dir: string): Generator<PlanEntry> {
  const planFolder = realPathOf(dir);
  // Links could multiply the paths exponentially.
  const visited = new Set<string>();
  yield* walkFolder("", planFolder);

  function* walkFolder(folder: string, real: string): Generator<PlanEntry> {
    if (visited.has(real)) return;
    visited.add(real);
    yield { kind: "folder", real };
    let entries: Deno.DirEntry[];
    try {
      entries = [...Deno.readDirSync(real)].sort((a, b) => a.name < b.name ? -1 : 1);
    } catch (error) {
      if (!isNotFound(error)) yield { kind: "unreadable", file: folder, error };
      else if (folder === "") throw error;
      return;
    }
    for (const { name, isFile, isDirectory, isSymlink } of entries) {
      const file = folder === "" ? name : `${folder}/${name}`;
      // `join` takes longer than listing the folder.
      const path = `${real}${sep}${name}`;
      if (isDirectory) yield* walkFolder(file, path);
      else if (isSymlink) yield* walkLink(file, path);
      else if (isFile && name.endsWith(".md")) yield { kind: "file", file, real: path };
      else if (isFile && isTemporaryName(name)) yield { kind: "temporary", real: path };
      yield { kind: "other" };
    }
  }

  /** Follows a link within the project, except to folders of the plan, which are walked anyway. */
  function* walkLink(file: string, path: string): Generator<PlanEntry> {
    const [real = "", info] = orElse((): [string, Deno.FileInfo] | [] => {
      const target = realPathOf(path);
      return isInside(root, target) ? [target, Deno.statSync(target)] : [];
    }, []);
    if (info?.isFile && file.endsWith(".md")) yield { kind: "file", file, real };
    else if (info?.isDirectory && !isInside(planFolder, real)) yield* walkFolder(file, real);
  }
}

/** The Markdown files of a plan, which may be missing. */
export function filesOf(root: string, dir: string) {
  return orElse(() => [...walkPlan(root, dir)], [])
    .flatMap((entry) => entry.kind === "file" ? entry : []);
}

/** Counts the files with an entity; skips unreadable ones. */
export async function countEntities(root: string, dir: string): Promise<number> {
  let count = 0;
  for await (const { real } of inTurns(filesOf(root, dir))) {
    if (orElse(() => hasEntity(readFound(real, "plan") ?? ""), false)) count++;
  }
  return count;
}

/** The files and folders that git keeps while a merge or a rebase has conflicts. */
const OPERATIONS = ["MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD"]
  .concat("rebase-merge", "rebase-apply");

/** The folders whose files have an id in their name, and files that need none. */
const NUMBERED = /^(?:.*\/)?(?:work|bugs?|specs?|decisions?)\/(?!index\.md|readme\.md)([^/]+)$/i;

/**
 * Whether a plan needs repair, as far as names of files tell, because contents are read later: git
 * merges, two files have one id, or a file's name has none.
 */
export function needsRepair({ cwd, plan, memo }: Project): boolean {
  if (plan === null) return false;
  return memo(["needs repair", plan.path], () => isMerging(cwd) || hasUnclearIds(cwd, plan.path));
}

function isMerging(cwd: string): boolean {
  const top = repositoryOf(cwd);
  return top !== undefined && OPERATIONS.some((name) => {
    const path = join(top, ".git", name);
    noteRead(path);
    // In a worktree, .git is a file; or it may not be read.
    return orElse(() => statIfExists(path) !== null, false);
  });
}

function hasUnclearIds(cwd: string, dir: string): boolean {
  const walk = () =>
    walkPlan(cwd, dir).flatMap((entry) => {
      if (entry.kind === "folder") noteRead(`${entry.real}/`);
      return entry.kind === "file" ? NUMBERED.exec(entry.file)?.slice(1) ?? [] : [];
    }).toArray();
  const names = orElse(walk, []);
  const ids = names.map((name) => /^[A-Z]+-\d+(?=[-.])/.exec(name)?.[0]);
  return new Set(ids).size < ids.length || ids.includes(undefined);
}
