/**
 * The states of entities on other branches and in other worktrees, read without a checkout. A state
 * counts only if that branch changed the entity since the merge base.
 */

import { join } from "node:path";
import { isTooHard } from "../../../src/io/markup_limits.ts";
import { isNotFound } from "../../../src/io/paths.ts";
import { isRefusal } from "../../../src/io/permissions.ts";
import { readInside } from "../../../src/io/read.ts";
import { messageOf, RefraktError } from "../../../src/errors.ts";
import { shortLine } from "../../../src/plain_text.ts";
import {
  type GitPlace,
  readBlobs,
  readDifferences,
  readRepository,
  readTree,
  type RepositoryFacts,
} from "../git/log.ts";
import { commitsAhead, mergeBase, type Parents, readRefs, type Refs } from "../git/refs.ts";
import { inPlan } from "../git/events.ts";
import { isReady } from "./lifecycle.ts";
import type { PlanState } from "../store/plan_state.ts";
import { type Item, itemFrom, type PlanView } from "./access.ts";
import type { PlanStore } from "../store/mod.ts";
import { hashesIn, MOST_WORKTREES, type ReadableWorktree, readableWorktrees } from "./worktrees.ts";

/** How many branches, and changed files of each, are read. */
const [MOST_BRANCHES, MOST_FILES] = [200, 500];
/** How many file versions and comparisons of commits are cached. */
const MOST_CACHED = 5000;

/** A branch or a worktree. */
interface Place {
  /** The branch; of a worktree, the one that is checked out. */
  readonly branch?: string | undefined;
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
  /** Whether git failed, for a part at least. */
  failed?: true;
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
  /** Why git cannot tell. */
  readonly failed: string | undefined;
}

/** Which entities are read: parsing the versions of all takes most of the time. */
type Wanted = "all" | "ready";

/** Cached per plan: what depends only on hashes, and the last answer. */
class Cache {
  /** By the hashes of HEAD and of the commit. */
  readonly differences = new Map<string, Difference>();
  /** Entities, by the hashes of their files. */
  readonly items = new Map<string, Item | null>();
  /** The blobs of merge bases of worktrees. */
  readonly trees = new Map<string, ReadonlyMap<string, string>>();
  readonly last = new Map<Wanted, { refs: Refs; state: PlanState; found: Elsewhere }>();
}

const caches = new WeakMap<PlanStore, Cache>();

/**
 * Reads the states of a plan's entities elsewhere; `leftOut` lists what git could not read. Callers
 * share the answer, which is the same until a branch, a worktree or the plan changes.
 */
export async function readElsewhere(
  plan: PlanView,
  wanted: Wanted = "all",
): Promise<Elsewhere> {
  let found: Elsewhere = {
    states: new Map(),
    collisions: [],
    branches: 0,
    worktrees: 0,
    leftOut: [],
  };
  await attempt(found, "Branches and worktrees", async () => {
    const { git, state, store } = plan;
    const refs = await readRefs(git);
    const last = caches.get(store)?.last.get(wanted);
    if (last?.refs === refs && last.state === state) {
      found = last.found;
      return;
    }
    const facts = known.get(refs) ?? await readFacts(git, refs);
    await new Reader(plan, facts, wanted, found).read(refs);
    // Files of other worktrees change without git; what failed may succeed.
    const isWhole = found.worktrees === 0 && found.failed === undefined;
    if (isWhole) caches.get(store)!.last.set(wanted, { refs, state, found });
  });
  plan.signal.throwIfAborted();
  return found;
}

/** What git says of branches and worktrees, HEAD among them, while they are the same. */
interface Facts {
  readonly repository: RepositoryFacts;
  readonly ahead: Parents | undefined;
}

const known = new WeakMap<Refs, Facts>();

async function readFacts(git: GitPlace, refs: Refs): Promise<Facts> {
  const repository = await readRepository(git);
  const commits = [...refs.branches, ...refs.worktrees].map(({ commit }) => commit)
    .filter((commit) => !isUnborn(commit));
  const facts = { repository, ahead: await commitsAhead(git, repository.head, commits) };
  known.set(refs, facts);
  return facts;
}

/** Reads a part; if it cannot be read, `leftOut` says why. */
export async function attempt(
  found: Pick<Elsewhere, "leftOut" | "failed">,
  name: string,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof RefraktError) && !isNotFound(error) && !isRefusal(error)) throw error;
    found.leftOut.push(`${name}: ${shortLine(messageOf(error), 200)}`);
    found.failed = true;
  }
}

class Reader {
  readonly #cache: Cache;
  /** The paths of entities that are not ready. */
  readonly #others: ReadonlySet<string>;

  constructor(
    readonly plan: PlanView,
    readonly facts: Facts,
    readonly wanted: Wanted,
    readonly found: Elsewhere,
  ) {
    const cached = caches.get(plan.store);
    const isFull = cached && cached.items.size + cached.differences.size > MOST_CACHED;
    this.#cache = cached === undefined || isFull ? new Cache() : cached;
    caches.set(plan.store, this.#cache);
    this.#others = new Set(
      plan.items.filter(({ type, status }) => !isReady(type, status))
        .map(({ entity: { file } }) => facts.repository.prefix + file),
    );
  }

  async read(refs: Refs): Promise<void> {
    const { found, plan, facts: { repository, ahead } } = this;
    const { folders, unread, leftOut } = readableWorktrees(plan, repository, refs.worktrees);
    found.leftOut.push(...refs.leftOut, ...leftOut);
    // A worktree's files are newer than its branch.
    const others = refs.branches.filter(({ name, commit }) =>
      ahead?.has(commit) !== false && folders.every(({ branch }) => branch !== name)
    );
    const recent = newest(others, found.leftOut);
    [found.branches, found.worktrees] = [recent.length, folders.length];
    const tips = [
      // Git can read the commits of worktrees that the server may not read.
      ...unread.filter(({ branch }) => branch === undefined).slice(0, MOST_BRANCHES)
        .map(({ name, commit }) => ({ name, commit, place: { worktree: name } })),
      // If two branches have the same state, the local one is shown.
      ...recent.toSorted((a, b) => Number(a.isRemote) - Number(b.isRemote))
        .map(({ name, commit, date }) => ({ name, commit, place: { branch: name, date } })),
    ];
    await this.#compare([...folders, ...tips].map(({ commit }) => commit));
    for (const folder of folders) {
      await attempt(found, folder.name, () => this.#readWorktree(folder));
    }
    const { differences } = this.#cache;
    await this.#load(
      tips.flatMap(({ commit }) =>
        differences.get(`${repository.head} ${commit}`)!.changes.slice(0, MOST_FILES)
      ),
    );
    for (const { name, commit, place } of tips) {
      plan.signal.throwIfAborted();
      await attempt(found, name, () => this.#add(place, commit));
    }
  }

  /** Compares a worktree's files with the merge base of its commit and HEAD. */
  async #readWorktree(worktree: ReadableWorktree): Promise<void> {
    const { path, dir, name, commit, branch } = worktree;
    const { plan, facts: { repository } } = this;
    const { trees } = this.#cache;
    const { base } = this.#differenceOf(commit);
    const before = trees.get(base) ?? await readTree(plan.git, base);
    if (trees.size > MOST_WORKTREES) trees.clear();
    trees.set(base, before);
    const changes: Change[] = [];
    for (const { file, blob: after } of await hashesIn(plan.store, worktree, repository)) {
      const at = `${repository.prefix}${file}`;
      if (before.get(at) === after) continue;
      if (this.#concerns(at) && !this.#cache.items.has(after)) {
        this.#keep(after, at, readInside(path, join(dir, file), "plan"));
      }
      changes.push({ path: at, before: before.get(at), after });
    }
    await this.#add({ worktree: name, branch }, changes);
  }

  /** Finds what commits changed since their merge bases; one git call compares them all. */
  async #compare(commits: readonly string[]): Promise<void> {
    const { plan: { git }, facts: { repository: { head }, ahead } } = this;
    const { differences: known } = this.#cache;
    const wanted = [...new Set(commits)].filter((commit) => !known.has(`${head} ${commit}`));
    const pairs = await Promise.all(
      wanted.map(async (commit) =>
        [commit, isUnborn(commit) ? "" : await mergeBase(git, head, commit, ahead) ?? ""] as const
      ),
    );
    const { differences, failed } = await readDifferences(git, pairs.filter(([, base]) => base));
    const changed = new Map(differences.map(({ hash, changes }) => [hash, changes]));
    for (const [commit, base] of pairs) {
      const changes = (changed.get(commit) ?? []).filter(({ path }) => path.endsWith(".md"))
        .map(({ path, before, after }) => ({ path, before: before[0], after }));
      const reason = base === "" ? "It has no common ancestor with HEAD" : failed.get(commit);
      known.set(`${head} ${commit}`, { base, changes, failed: reason });
    }
  }

  #differenceOf(commit: string): Difference {
    const found = this.#cache.differences.get(`${this.facts.repository.head} ${commit}`)!;
    if (found.failed === undefined) return found;
    throw new RefraktError("NOT_FOUND", found.failed);
  }

  /** Adds the states and collisions of a place, from its commit or its changes. */
  async #add(place: Place, from: string | readonly Change[]): Promise<void> {
    const { plan, found: { states, collisions, leftOut } } = this;
    const all = typeof from === "string" ? this.#differenceOf(from).changes : from;
    const changes = all.slice(0, MOST_FILES);
    if (all.length > changes.length) {
      const rest = all.length - changes.length;
      leftOut.push(`${place.worktree ?? place.branch}: ${rest} more changed files`);
    }
    await this.#load(changes);
    const itemsOf = (side: "before" | "after") =>
      changes.flatMap(({ [side]: blob = "" }) => this.#cache.items.get(blob) ?? []);
    const before = new Map(itemsOf("before").map((item) => [item.id, item]));
    for (const item of itemsOf("after")) {
      const here = plan.find(item.id);
      const base = before.get(item.id);
      const isReadyHere = here !== undefined && isReady(here.type, here.status);
      if (this.wanted === "ready" && !isReadyHere) continue;
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
    const paths = new Map(
      changes.filter(({ path }) => this.#concerns(path)).flatMap(({ path, before, after }) =>
        [before, after].flatMap((blob) =>
          blob === undefined || this.#cache.items.has(blob) ? [] : [[blob, path] as const]
        )
      ),
    );
    const take = (blob: string, text: string) => this.#keep(blob, paths.get(blob)!, text);
    await readBlobs(this.plan.git, paths.keys(), take);
  }

  #concerns(path: string): boolean {
    return this.wanted === "all" || !this.#others.has(path);
  }

  /** Caches the entity of a text; `null` if it has none. */
  #keep(blob: string, path: string, text: string): void {
    let item: Item | undefined;
    try {
      item = itemFrom(this.plan, text, inPlan(this.facts.repository.prefix, path));
    } catch (error) {
      if (!isTooHard(error)) throw error;
    }
    this.#cache.items.set(blob, item ?? null);
  }
}

/** Returns the branches that are read, of all sorted by age; `leftOut` counts the others. */
export function newest<Tip>(tips: readonly Tip[], leftOut: string[]): Tip[] {
  const rest = tips.length - MOST_BRANCHES;
  if (rest > 0) {
    leftOut.push(`${rest} branches were not read because only the ${MOST_BRANCHES} newest are`);
  }
  return tips.slice(0, MOST_BRANCHES);
}

/** Whether a branch has no commit, which git writes as zeros. */
export const isUnborn = (commit: string) => /^0+$/.test(commit);

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
