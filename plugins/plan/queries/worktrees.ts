/** The plan's files in the other worktrees of its repository. */

import { join, resolve } from "node:path";
import { blobHash } from "../../../src/io/blob_hash.ts";
import { isInside, realPathOf, shownPath } from "../../../src/io/paths.ts";
import { isRefusal, mayRead } from "../../../src/io/permissions.ts";
import { nameLine } from "../../../src/plain_text.ts";
import type { RepositoryFacts } from "../git/log.ts";
import type { Worktree } from "../git/refs.ts";
import type { PlanView } from "./access.ts";
import type { PlanStore } from "../store/mod.ts";
import { PlanFiles } from "../store/plan_files.ts";
import { inSlices } from "../store/slices.ts";

export const MOST_WORKTREES = 16;

/** A worktree with read permission. */
export type ReadableWorktree = Worktree & {
  /** The real path of its plan. */
  readonly dir: string;
  /** The path as shown in answers. */
  readonly name: string;
};

/** A file of a worktree's plan, of which only the hash is kept. */
interface HashedFile {
  readonly file: string;
  readonly blob: string;
}

/** The files of worktrees' plans, by the worktree's path; `undefined` if a file is unreadable. */
const kept = new WeakMap<PlanStore, Map<string, PlanFiles<HashedFile | undefined>>>();

/** Finds the other worktrees. Their paths come from the repository, so they are not trusted. */
export function readableWorktrees(
  { cwd, dir, store }: Pick<PlanView, "cwd" | "dir" | "store">,
  { prefix }: RepositoryFacts,
  worktrees: readonly Worktree[],
): {
  folders: ReadableWorktree[];
  unread: (Worktree & { readonly name: string })[];
  leftOut: string[];
} {
  const leftOut: string[] = [];
  const unread: (Worktree & { readonly name: string })[] = [];
  const found = worktrees.flatMap((worktree): ReadableWorktree[] => {
    const name = nameLine(shownPath(cwd, worktree.path));
    if (resolve(worktree.path, prefix) === dir) return [];
    try {
      const path = Deno.realPathSync(worktree.path);
      const plan = Deno.realPathSync(join(path, prefix));
      // The plan may be a link out of the worktree, or back to this plan.
      return realPathOf(plan) === dir || !isInside(path, plan) || !mayRead(path)
        ? []
        : [{ ...worktree, path, dir: plan, name }];
    } catch (error) {
      // Skip worktrees that were deleted or have no plan.
      if (isRefusal(error)) {
        leftOut.push(`The worktree ${name}: not readable; only its commits were checked`);
        unread.push({ ...worktree, name });
      }
      return [];
    }
  });
  if (found.length > MOST_WORKTREES) {
    leftOut.push(`${found.length - MOST_WORKTREES} more worktrees`);
  }
  const files = kept.get(store);
  for (const path of files?.keys() ?? []) {
    if (found.every((one) => one.path !== path)) files!.delete(path);
  }
  return { folders: found.slice(0, MOST_WORKTREES), unread, leftOut };
}

/** Returns the files of a worktree's plan, relative to it, with their blob hashes. */
export async function hashesIn(
  store: PlanStore,
  { path, dir }: ReadableWorktree,
  { head }: RepositoryFacts,
): Promise<readonly HashedFile[]> {
  const ofStore = kept.get(store) ?? new Map<string, PlanFiles<HashedFile | undefined>>();
  kept.set(store, ofStore);
  const files = ofStore.get(path) ??
    new PlanFiles(
      path,
      dir,
      (file, content): HashedFile | undefined =>
        "text" in content
          ? { file, blob: blobHash(content.text.replaceAll("\r\n", "\n"), head.length) }
          : undefined,
    );
  ofStore.set(path, files);
  return (await inSlices(files.look())).files.filter((one) => one !== undefined);
}
