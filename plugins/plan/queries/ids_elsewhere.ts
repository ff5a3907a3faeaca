/** Finds ids that are taken on branches and in other worktrees, so that new entities avoid them. */

import { join } from "node:path";
import { orOtherwise } from "../../../src/errors.ts";
import { repositoryOf } from "../../../src/io/git_settings.ts";
import { isTooHard } from "../../../src/io/markup_limits.ts";
import { readInside } from "../../../src/io/read.ts";
import { shortLine } from "../../../src/plain_text.ts";
import { read } from "../entity/document.ts";
import {
  isWithoutHistory,
  readBlobs,
  readDifferences,
  readRepository,
  readTree,
} from "../git/log.ts";
import { readRefs } from "../git/refs.ts";
import { inPlan } from "../git/events.ts";
import type { PlanStore } from "../store/mod.ts";
import { attempt, isUnborn, newest } from "./states_elsewhere.ts";
import { hashesIn, readableWorktrees } from "./worktrees.ts";

/** The maximum number of cached blobs. */
const MOST_KEPT = 10_000;
const MOST_NAME = 120;

/** The hash of an empty blob, in SHA-1 and SHA-256. */
const EMPTY = /^(?:e69de29bb2d1|473a0f4c3be8)/;

/** The place of ids that were deleted here since the last commit. */
const LAST_COMMIT = "the last commit";

export interface IdsElsewhere {
  /** The place of each id, such as `the branch feature/x`. */
  readonly ids: ReadonlyMap<string, string>;
  /** Sentences about what was not checked. */
  readonly unchecked: string[];
}

/** Joins what was not checked to one sentence. */
export function sentenceOf(unchecked: readonly string[]): string {
  return unchecked.map((one) => one.replace(/[.;]$/, "")).join("; ");
}

/** Cached ids by blob hash. */
const kept = new WeakMap<PlanStore, Map<string, readonly string[]>>();

/** Returns where a caller's id is taken. An id that was deleted here may be reused. */
export function placeOf(ids: IdsElsewhere["ids"], id: string): string | undefined {
  const place = ids.get(id);
  return place === LAST_COMMIT ? undefined : place;
}

/**
 * Reads the ids on branches, in the last commit and in worktrees; `unchecked` has the reason if git
 * cannot be read.
 */
export function idsElsewhere(store: PlanStore, signal: AbortSignal): Promise<IdsElsewhere> {
  return orOtherwise(signal, () => readIds(store, signal), (error): IdsElsewhere => {
    const isNothing = isWithoutHistory(error) ||
      error.code === "PERMISSION_DENIED" && repositoryOf(store.dir) === undefined;
    const unchecked = isNothing ? [] : [`Branches and worktrees: ${error.message}`];
    return { ids: new Map(), unchecked };
  });
}

async function readIds(store: PlanStore, signal: AbortSignal): Promise<IdsElsewhere> {
  const { root: cwd, dir } = store;
  const git = { cwd: dir, signal };
  const [repository, refs] = await Promise.all([readRepository(git), readRefs(git)]);
  const { branches, worktrees } = refs;
  const { head, prefix } = repository;
  const { folders, leftOut } = readableWorktrees({ cwd, dir, store }, repository, worktrees);
  const unchecked = [...refs.leftOut, ...leftOut];
  const tips = new Map<string, string>();
  for (const { name, commit } of branches) {
    if (!tips.has(commit)) tips.set(commit, `the branch ${shortLine(name, MOST_NAME)}`);
  }
  for (const { commit } of worktrees) {
    if (!tips.has(commit) && !isUnborn(commit)) tips.set(commit, "a worktree's commit");
  }
  tips.delete(head);
  const commits = newest([...tips.keys()], unchecked);
  const [{ differences, failed }, tree, state] = await Promise.all([
    readDifferences(git, commits.map((commit) => [commit, head])),
    readTree(git, head),
    store.read(signal),
  ]);
  for (const [commit, reason] of failed) {
    unchecked.push(`${sentence(tips.get(commit)!)}: ${reason}`);
  }
  const here = new Set(state.files.map(({ file }) => file));
  // Entities that were deleted here but are still in the last commit.
  const removed = [...tree].filter(([path]) => !here.has(inPlan(prefix, path)));
  const found = [
    ...differences.flatMap(({ hash, changes }) =>
      changes.map(({ path, after }) => [path, after, tips.get(hash)!] as const)
    ),
    ...removed.map(([path, blob]) => [path, blob, LAST_COMMIT] as const),
  ].flatMap(([path, blob, place]) =>
    blob !== undefined && path.endsWith(".md") ? [{ blob, place }] : []
  );
  const ids = new Map<string, string>();
  const known = keptFor(store);
  const add = (blob: string, place: string) => {
    for (const id of known.get(blob) ?? []) if (!ids.has(id)) ids.set(id, place);
  };
  let missing = 0;
  const wanted = found.map(({ blob }) => blob).filter((blob) => !known.has(blob));
  await readBlobs(git, wanted, (blob, text) => {
    if (text === "" && !EMPTY.test(blob)) missing++;
    else known.set(blob, idsIn(text));
  });
  if (missing > 0) unchecked.push(`${missing} file versions that the partial clone lacks`);
  for (const { blob, place } of found) add(blob, place);
  for (const folder of folders) {
    signal.throwIfAborted();
    await attempt({ leftOut: unchecked }, `The worktree ${folder.name}`, async () => {
      for (const { file, blob } of await hashesIn(store, folder, repository)) {
        if (tree.get(`${prefix}${file}`) === blob) continue;
        if (!known.has(blob)) {
          known.set(blob, idsIn(readInside(folder.path, join(folder.dir, file), "plan")));
        }
        add(blob, `the worktree ${folder.name}`);
      }
    });
  }
  return { ids, unchecked };
}

function sentence(place: string): string {
  return place.replace(/^./, (first) => first.toUpperCase());
}

function keptFor(store: PlanStore): Map<string, readonly string[]> {
  const known = kept.get(store);
  if (known !== undefined && known.size < MOST_KEPT) return known;
  const made = new Map<string, readonly string[]>();
  kept.set(store, made);
  return made;
}

/** The ids of all entities in a text. */
function idsIn(text: string): string[] {
  try {
    const { entity, further } = read(text);
    return [entity, ...further].flatMap((one) => one?.id ?? []);
  } catch (error) {
    if (!isTooHard(error)) throw error;
    return [];
  }
}
