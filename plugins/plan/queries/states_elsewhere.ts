/**
 * The states of entities on other branches and in other worktrees, read without a checkout. A state
 * counts only if that branch changed the entity since the merge base.
 */

import { join } from "node:path";
import { runGit } from "../../../src/io/git.ts";
import { isTooHard } from "../../../src/io/markup_limits.ts";
import { isNotFound } from "../../../src/io/paths.ts";
import { isRefusal } from "../../../src/io/permissions.ts";
import { readInside } from "../../../src/io/read.ts";
import { messageOf, RefraktError } from "../../../src/errors.ts";
import { plainLine } from "../../../src/plain_text.ts";
import {
  type GitPlace,
  readBlobs,
  readDifference,
  readRepository,
  readTree,
  type RepositoryFacts,
} from "../git/log.ts";
import { readRefs, unmergedIn } from "../git/refs.ts";
import { inPlan } from "../git/events.ts";
import type { LoadedPlan } from "../store/loaded.ts";
import { type Item, itemFrom, type PlanView } from "./access.ts";
import type { PlanStore } from "../store/mod.ts";
import { hashesIn, type ReadableWorktree, readableWorktrees } from "./worktrees.ts";

/** How many branches, and changed files of each, are read. */
const [MOST_BRANCHES, MOST_FILES] = [50, 500];
/** How many file versions and comparisons of commits are cached. */
const MOST_CACHED = 2000;

/** A branch or a worktree. */
interface Place {
  /** The branch; of a worktree, the one that is checked out. */
  readonly branch?: string;
  /** The worktree's folder, relative to the project. */
  readonly worktree?: string;
  /** The date of the branch's newest commit, ISO 8601. */
  readonly date?: string;
}

/** The state of an entity on a branch or in a worktree. */
export interface StateElsewhere extends Place {
  readonly item: Item;
  /** What changed there and differs from here; the keys are those of {@linkcode factsOf}. */
  readonly differs: readonly string[];
  /** The number of other branches with the same state. */
  others: number;
}

/** An entity that was created elsewhere with the id of a different entity here. */
export type Collision = Place & { readonly item: Item };

/** What the branches and worktrees of a repository contain. */
export interface Elsewhere {
  /** The states by id, those of worktrees first. */
  readonly states: Map<string, StateElsewhere[]>;
  readonly collisions: Collision[];
  /** The number of unmerged branches that were read. */
  branches: number;
  worktrees: number;
  /** What was not read, in sentences. */
  readonly leftOut: string[];
}

/** A changed file, with the hashes of its blobs. */
interface Change {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** What a commit changed since its merge base with HEAD. */
interface Difference {
  readonly base: string;
  readonly changes: readonly Change[];
}

/** Cached per plan: both depend only on hashes. */
class Cache {
  readonly differences = new Map<string, Difference>();
  /** Entities by the hashes of their files. */
  readonly items = new Map<string, Item | null>();
}

const caches = new WeakMap<PlanStore, Cache>();

/** Reads the states of a plan's entities elsewhere; `leftOut` lists what git could not read. */
export async function readElsewhere(
  plan: PlanView,
  plugin: LoadedPlan,
  signal: AbortSignal,
): Promise<Elsewhere> {
  const found: Elsewhere = {
    states: new Map(),
    collisions: [],
    branches: 0,
    worktrees: 0,
    leftOut: [],
  };
  await attempt(found, "Branches and worktrees", async () => {
    const git = { cwd: plan.dir, signal };
    await new Reader(plan, plugin, git, await readRepository(git), found).read(signal);
  });
  signal.throwIfAborted();
  return found;
}

/** Reads a part; if it cannot be read, `leftOut` says why. */
async function attempt({ leftOut }: Elsewhere, name: string, work: () => Promise<void>) {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof RefraktError) && !isNotFound(error) && !isRefusal(error)) throw error;
    leftOut.push(`${name}: ${plainLine(messageOf(error), 200)}`);
  }
}

class Reader {
  readonly #cache: Cache;

  constructor(
    readonly plan: PlanView,
    readonly plugin: LoadedPlan,
    readonly git: GitPlace,
    readonly repository: RepositoryFacts,
    readonly found: Elsewhere,
  ) {
    const known = caches.get(plan.store);
    const isFull = known && known.items.size + known.differences.size > MOST_CACHED;
    this.#cache = known === undefined || isFull ? new Cache() : known;
    caches.set(plan.store, this.#cache);
  }

  async read(signal: AbortSignal): Promise<void> {
    const { found, plan, git, repository } = this;
    const refs = await readRefs(git);
    const branches = await unmergedIn(git, repository.head, refs.branches);
    const { folders, unread, leftOut } = readableWorktrees(plan, repository, refs.worktrees);
    found.leftOut.push(...refs.leftOut, ...leftOut);
    for (const folder of folders) {
      await attempt(found, folder.name, () => this.#readWorktree(folder));
    }
    // A worktree's files are newer than its branch.
    const others = branches.filter(({ name }) => folders.every(({ branch }) => branch !== name));
    const recent = others.slice(0, MOST_BRANCHES);
    if (others.length > recent.length) {
      const rest = others.length - recent.length;
      found.leftOut.push(
        `${rest} branches were not read because only the ${MOST_BRANCHES} newest are`,
      );
    }
    [found.branches, found.worktrees] = [recent.length, folders.length];
    const tips = [
      // Git can read the commits of worktrees that the server may not read.
      ...unread.filter(({ branch }) => branch === undefined).slice(0, MOST_BRANCHES)
        .map(({ name, commit }) => ({ name, commit, place: { worktree: name } })),
      // If two branches have the same state, the local one is shown.
      ...recent.toSorted((a, b) => Number(a.isRemote) - Number(b.isRemote))
        .map(({ name, commit, date }) => ({ name, commit, place: { branch: name, date } })),
    ].map((tip) => ({ ...tip, difference: this.#difference(tip.commit) }));
    await Promise.allSettled(tips.map(({ difference }) => difference));
    for (const { name, place, difference } of tips) {
      signal.throwIfAborted();
      await attempt(found, name, async () => this.#add(place, (await difference).changes));
    }
  }

  /** Compares a worktree's files with the merge base of its commit and HEAD. */
  async #readWorktree(worktree: ReadableWorktree): Promise<void> {
    const { path, dir, name, commit, branch } = worktree;
    const { plan, git, repository } = this;
    const before = await readTree(git, (await this.#difference(commit)).base);
    const changes: Change[] = [];
    for (const [file, after] of await hashesIn(plan.store, worktree, repository)) {
      const at = `${repository.prefix}${file}`;
      if (before.get(at) === after) continue;
      if (!this.#cache.items.has(after)) {
        this.#keep(after, at, readInside(path, join(dir, file), "plan"));
      }
      changes.push({ path: at, before: before.get(at), after });
    }
    await this.#add({ worktree: name, ...(branch === undefined ? {} : { branch }) }, changes);
  }

  async #difference(commit: string): Promise<Difference> {
    const { git, repository: { head } } = this;
    const key = `${head} ${commit}`;
    const known = this.#cache.differences.get(key);
    if (known !== undefined) return known;
    const { code, stdout } = await runGit(["merge-base", head, commit], git);
    if (code !== 0) throw new RefraktError("NOT_FOUND", "It has no common ancestor with HEAD");
    const base = new TextDecoder().decode(stdout).trim();
    const changes = (await readDifference(git, base, commit))
      .filter(({ path }) => path.endsWith(".md"))
      .map(({ path, before, after }) => ({ path, before: before[0], after }));
    this.#cache.differences.set(key, { base, changes });
    return { base, changes };
  }

  /** Adds the states and collisions of a place. */
  async #add(place: Place, all: readonly Change[]): Promise<void> {
    const { plan, found: { states, collisions, leftOut } } = this;
    const changes = all.slice(0, MOST_FILES);
    if (all.length > changes.length) {
      const rest = all.length - changes.length;
      leftOut.push(`${place.worktree ?? place.branch}: ${rest} more changed files`);
    }
    await this.#load(changes);
    const itemsOf = (side: "before" | "after") =>
      changes.flatMap((change) => this.#cache.items.get(change[side] ?? "") ?? []);
    const before = new Map(itemsOf("before").map((item) => [item.id, item]));
    for (const item of itemsOf("after")) {
      const here = plan.find(item.id);
      const base = before.get(item.id);
      if (
        here !== undefined && base === undefined &&
        [here, ...collisions.map((one) => one.item)].every((one) => isOther(one, item))
      ) collisions.push({ ...place, item });
      const differs = differences(item, base)
        .filter((name) => here === undefined || factsOf(item)[name] !== factsOf(here)[name]);
      if (differs.length === 0) continue;
      const known = states.get(item.id) ?? [];
      states.set(item.id, known);
      const same = known.find((state) => differences(item, state.item).length === 0);
      if (same === undefined) known.push({ ...place, item, differs, others: 0 });
      else same.others++;
    }
  }

  /** Reads the versions that are not cached. */
  async #load(changes: readonly Change[]): Promise<void> {
    const paths = new Map<string, string>();
    for (const { path, before, after } of changes) {
      for (const blob of [before, after]) {
        if (blob !== undefined && !this.#cache.items.has(blob)) paths.set(blob, path);
      }
    }
    const take = (blob: string, text: string) => this.#keep(blob, paths.get(blob)!, text);
    await readBlobs(this.git, paths.keys(), take);
  }

  /** Caches the entity of a text; `null` if it has none. */
  #keep(blob: string, path: string, text: string): void {
    let item: Item | undefined;
    try {
      const file = inPlan(this.repository.prefix, path);
      item = itemFrom(this.plan, this.plugin, text, file);
    } catch (error) {
      if (!isTooHard(error)) throw error;
    }
    this.#cache.items.set(blob, item ?? null);
  }
}

/** Whether an entity is not an edited or renamed version of another. */
function isOther(one: Item, other: Item): boolean {
  return one.id !== other.id ||
    one.title !== other.title && one.entity.file !== other.entity.file;
}

/** What counts as an entity's state: its attributes, title and ticked criteria. */
export function factsOf({ title, entity: { attributes, criteria } }: Item): Record<string, string> {
  const { id: _id, name: _name, ...facts } = attributes;
  const ticked = criteria.filter(({ checked }) => checked).length;
  return { ...facts, title, criteria: `${ticked}/${criteria.length}` };
}

function differences(item: Item, other: Item | undefined): string[] {
  const [facts, others] = [factsOf(item), other === undefined ? {} : factsOf(other)];
  return Object.keys({ ...facts, ...others }).filter((name) => facts[name] !== others[name]);
}
