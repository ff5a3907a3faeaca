/** Whether a plan needs repair, as far as names of files tell: contents are read later. */

import { join } from "node:path";
import { statIfExists } from "../io/files.ts";
import { repositoryOf } from "../io/git_settings.ts";
import { noteRead } from "../io/reads.ts";
import { filesOf } from "./plan_walk.ts";
import type { Project } from "./project.ts";

/** What git leaves in its folder while a merge or a rebase has conflicts. */
const OPERATIONS = [
  "MERGE_HEAD",
  "CHERRY_PICK_HEAD",
  "REVERT_HEAD",
  "rebase-merge",
  "rebase-apply",
];

/** The folders whose files have an id in their name, and files that need none. */
const NUMBERED = /^(?:.*\/)?(?:work|bugs?|specs?|decisions?)\/(?!index\.md|readme\.md)([^/]+)$/i;

/** Whether git merges, two files have one id, or a file's name has none. */
export function needsRepair({ cwd, plan }: Pick<Project, "cwd" | "plan">): boolean {
  if (plan === null) return false;
  const top = repositoryOf(cwd);
  const isMerging = top !== undefined && OPERATIONS.some((name) => {
    const path = join(top, ".git", name);
    noteRead(path);
    try {
      return statIfExists(path) !== null;
    } catch {
      // A worktree, whose .git is a file; or it may not be read.
      return false;
    }
  });
  if (isMerging) return true;
  const names = filesOf(cwd, plan.path).flatMap(({ file }) => NUMBERED.exec(file)?.[1] ?? []);
  const ids = names.map((name) => /^[A-Z]+-\d+(?=[-.])/.exec(name)?.[0]);
  return new Set(ids).size < ids.length || ids.includes(undefined);
}
