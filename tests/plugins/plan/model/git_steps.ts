/** What people do besides calls: edit files, commit, switch and merge branches, use worktrees. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { git, writeFiles } from "../../../support/project.ts";
import type { Raw } from "./arguments.ts";
import type { Files } from "./facts.ts";
import { edited } from "./seeds.ts";
import type { World } from "./world.ts";

export function edit(world: World, raw: Raw): void {
  const files = edited(world.files, raw);
  world.said.push(`editor ${JSON.stringify(raw["how"])} ${Object.keys(files)}`);
  world.write(files);
}

export function commit({ history, files, said }: World): void {
  said.push("git commit");
  history?.commit(files);
}

export function checkout(world: World, raw: Raw): void {
  const { history, files, said } = world;
  const name = ["main", "one", "two"][Number(raw["at"]) % 3]!;
  if (history === undefined || [...history.worktrees.values()].includes(name)) return;
  said.push(`git checkout ${name}`);
  history.commit(files);
  history.checkout(name);
}

/** Works in a worktree, a new one if there is none; commits and removes it sometimes. */
export function worktree(world: World, raw: Raw): void {
  const { history, cwd, said } = world;
  const folder = ".trees/w";
  if (history === undefined) return;
  if (!history.worktrees.has(folder)) history.addWorktree(folder, `w${history.branches.size}`);
  const path = join(cwd, folder, "plan");
  const files = edited(history.filesOf(history.branches.get(history.worktrees.get(folder)!)!), raw);
  const left = Object.fromEntries(Object.entries(files).filter(([, text]) => text !== ""));
  writeFiles(path, left);
  said.push(`in a worktree: ${raw["how"]} ${Object.keys(left)}`);
  if (Number(raw["at"]) % 2 === 0) history.commitWorktree(folder);
  if (Number(raw["at"]) % 3 === 0) history.removeWorktree(folder);
}

/** The lines that a side has and its base has not. */
function linesOf(files: Files, base: Files = {}): Set<string> {
  const all = (some: Files) =>
    new Set(
      Object.entries(some).filter(([file]) => file.includes("/"))
        .flatMap(([, text]) => text.split(/\r?\n/)).filter((line) =>
          !/^(?:\{% |# |\s*$)/.test(line)
        ),
    );
  return all(files).difference(all(base));
}

/** Merges another branch; what is in conflict is merged by `plan.merge`. */
export async function merge(world: World, raw: Raw): Promise<void> {
  const { history, cwd, said } = world;
  const names = [...history?.branches.keys() ?? []];
  const name = names[Number(raw["id"]) % names.length];
  if (history === undefined || name === undefined) return;
  const hash = history.branches.get(name)!;
  history.commit(world.files);
  if (history.contains(hash)) return;
  said.push(`git merge ${name}`);
  const [ours, theirs] = [world.files, history.filesOf(hash)];
  const base = history.filesOf(history.bases(hash)[0]!);
  if (history.isFastForward(hash)) {
    git(cwd, "merge", "-q", name);
    return history.forward(hash);
  }
  let isClean = true;
  try {
    git(cwd, "merge", "-q", "--no-edit", name);
  } catch {
    isClean = false;
  }
  world.look();
  if (!isClean) {
    const { open, errorCode } = await mergeAll(world, raw);
    if (open || errorCode === "NOT_FOUND") {
      git(cwd, "merge", "--abort");
      return;
    }
    git(cwd, "add", "-A", "plan");
    git(cwd, "commit", "-q", "-m", "Merge");
  }
  world.look();
  history.record(world.files, [history.head, hash]);
  const added = linesOf(ours, base).union(linesOf(theirs, base));
  const lost = added.difference(linesOf(world.files));
  assert.deepEqual([...lost], [], `a merge loses nothing: ${said.at(-1)}`);
}

async function mergeAll(world: World, raw: Raw) {
  const first = await world.change("plan.merge", { all: true });
  if (first.isError) return { open: true, errorCode: first.errorCode };
  const { open } = first.structuredContent;
  if (open === undefined || raw["take"] === undefined) return { open: open !== undefined };
  const take = { sections: "both", criteria: "both", rest: "both" };
  const again = await world.change("plan.merge", {
    all: true,
    take: { ...take, ...Object(raw["take"]) },
  });
  return { open: again.isError === true || again.structuredContent.open !== undefined };
}
