/** Whether a plan needs repair, as far as names of files tell: contents are read later. */

import { join } from "node:path";
import { orElse } from "../../../src/errors.ts";
import { statIfExists } from "../../../src/io/files.ts";
import { repositoryOf } from "../../../src/io/git_settings.ts";
import { noteRead } from "../../../src/io/reads.ts";
import { walkPlan } from "./walk.ts";
import type { Project } from "../../../src/plugin/project.ts";

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
  const names: string[] = [];
  try {
    for (const entry of walkPlan(cwd, dir)) {
      if (entry.kind === "folder") noteRead(`${entry.real}/`);
      if (entry.kind === "file") names.push(...NUMBERED.exec(entry.file)?.slice(1) ?? []);
    }
  } catch {
    return false;
  }
  const ids = names.map((name) => /^[A-Z]+-\d+(?=[-.])/.exec(name)?.[0]);
  return new Set(ids).size < ids.length || ids.includes(undefined);
}
