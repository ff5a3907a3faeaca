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
  world.said.push(`editor ${raw["how"]} ${Object.keys(files)}`);
  world.write(files);
}

/** Changes an entity twice, in one commit. */
export function commit(world: World, { at, ours, theirs }: Raw): void {
  for (const one of [ours, theirs]) {
    edit(world, { ...Object(one), at });
    world.look();
  }
  world.said.push("git commit");
  world.history?.commit(world.files);
}

export function checkout(world: World, raw: Raw): void {
  const { history, files, said } = world;
  const name = ["main", "one", "two"][Number(raw["at"])]!;
  if (history === undefined) return;
  said.push(`git checkout ${name}`);
  history.commit(files);
  history.checkout(name);
}

/** Works in a worktree, a new one if there is none; commits and removes it sometimes. */
export function worktree(world: World, raw: Raw): void {
  const { history, cwd, said } = world;
  if (history === undefined) return;
  const folder = Number(raw["at"]) % 3 === 1 ? world.beside : ".trees/w";
  if (!history.worktrees.has(folder)) history.addWorktree(folder, `w${history.branches.size}`);
  const path = join(cwd, folder, "plan");
  const files = edited(history.filesOf(history.branches.get(history.worktrees.get(folder)!)!), raw);
  const left = Object.fromEntries(Object.entries(files).filter(([, text]) => text !== ""));
  writeFiles(path, left);
  said.push(`in the worktree ${folder}: ${raw["how"]} ${Object.keys(left)}`);
  if (Number(raw["at"]) % 2 === 0) history.commitWorktree(folder);
  if (Number(raw["at"]) % 5 === 0) history.removeWorktree(folder);
}

/** The lines that a side has and its base has not. */
function linesOf(files: Files, base: Files): Set<string> {
  const all = (some: Files) =>
    Object.values(some).flatMap((text) => text.split(/\r?\n/))
      .filter((line) => !/^(?:\{% |# |\s*$)/.test(line));
  return new Set(all(files)).difference(new Set(all(base)));
}

/** Changes one entity here and, in another way, on a new branch, which is merged. */
export async function fork(world: World, raw: Raw): Promise<void> {
  const { history, cwd, said } = world;
  if (history === undefined) return;
  const [start, name] = [history.branch, `f${history.branches.size}`];
  history.commit(world.files);
  const sides = [[name, "theirs"], [start, "ours"]].map(([branch, side]) => {
    history.checkout(branch!);
    world.look();
    world.write(edited(world.files, { ...Object(raw[side!]), at: raw["at"] }));
    world.look();
    history.commit(world.files);
    return world.files;
  });
  const hash = history.branches.get(name)!;
  if (history.ancestors(history.head).has(hash)) return;
  const base = history.filesOf(history.bases(hash)[0]!);
  const hows = ["theirs", "ours"].map((side) => Object(raw[side]).how);
  said.push(`git merge ${name}: ${hows} of ${raw["at"]}`);
  if (history.ancestors(hash).has(history.head)) {
    git(cwd, "merge", "-q", name);
    history.record(history.filesOf(hash), []);
    return;
  }
  // Both versions of a tag that is not closed would open it twice.
  const take = world.plan.every(({ isClosed }) => isClosed) ? raw["take"] : undefined;
  try {
    git(cwd, "merge", "-q", "--no-commit", name);
  } catch {
    world.look();
    if (!await mergeAll(world, take)) return void git(cwd, "merge", "--abort");
  }
  world.look();
  history.commitMerge(world.files, hash);
  const added = sides.map((side) => linesOf(side, base)).reduce((a, b) => a.union(b));
  const lost = added.difference(linesOf(world.files, {}));
  // What was decided for one side may go.
  if (/"take".*(?:ours|theirs)/.test(said.at(-1)!)) return;
  assert.deepEqual([...lost], [], `a merge loses nothing: ${said.at(-1)}`);
}

/** Merges what git has left in conflict; whether nothing is open. */
async function mergeAll(world: World, take: unknown): Promise<boolean> {
  const torn = Object.keys(world.files).filter((file) => world.files[file]!.includes("<<<<<<< "));
  if (!await mergeTorn(world, take)) return false;
  for (const { file, isClosed, sections } of world.plan) {
    const names = sections.map(({ heading }) => heading.toLowerCase());
    if (!torn.includes(file) || !isClosed) continue;
    assert.equal(new Set(names).size, names.length, `sections of one name become one: ${names}`);
  }
  return true;
}

async function mergeTorn(world: World, take: unknown): Promise<boolean> {
  const { structuredContent: first, isError } = await world.change("plan_merge", { all: true });
  if (isError || first.open === undefined || take === undefined) {
    return !isError && first.open === undefined;
  }
  const both = { sections: "both", criteria: "both", rest: "both", ...Object(take) };
  const again = await world.change("plan_merge", { all: true, take: both });
  return !again.isError && again.structuredContent.open === undefined;
}
