/**
 * The states of entities on other branches and in other worktrees, read without a checkout. A state
 * counts where the branch itself changed it: one that is merely behind says nothing.
 *
 * @module
 */

import { join } from "node:path";
import { isTooHard } from "../../src/io/markup_limits.ts";
import { isNotFound } from "../../src/io/paths.ts";
import { isRefusal } from "../../src/io/permissions.ts";
import { readInside } from "../../src/io/read.ts";
import { messageOf, RefraktError } from "../../src/errors.ts";
import { plainLine } from "../../src/plain_text.ts";
import {
  type FileChange,
  mergeBase,
  readBlobs,
  readCommits,
  readDifference,
  readRepository,
  readTree,
  type RepositoryFacts,
} from "./git_log.ts";
import { type Branch, readBranches, readWorktrees, type Worktree } from "./git_refs.ts";
import { inPlan } from "./history_events.ts";
import type { LoadedPlan } from "./load.ts";
import { type Item, itemsIn, type PlanView } from "./queries/access.ts";
import { type PlanStore, storedFile } from "./store/mod.ts";
import { PlanState } from "./store/plan_state.ts";
import { hashesIn, type ReadableWorktree, readableWorktrees } from "./worktrees.ts";

/** How many branches and how many changed files of each are read. */
const [MOST_BRANCHES, MOST_FILES] = [50, 500];
/** How many versions of entities are kept. */
const MOST_KEPT = 2000;
const MOST_NAME = 120;

/** The state of an entity on a branch or in a worktree. */
export interface StateElsewhere {
  /** The branch; of a worktree the one that is checked out, if any. */
  readonly branch?: string;
  /** The worktree's folder, relative to the project. */
  readonly worktree?: string;
  /** The date of the branch's newest commit, ISO 8601. */
  readonly date?: string;
  /** The entity as it is there. */
  readonly item: Item;
  /** What was changed there and is different here: attributes, `title` and `criteria`. */
  readonly differs: readonly string[];
  /** Whether the entity was removed there. */
  readonly removed?: true;
  /** How many other branches have the same state. */
  others: number;
}

/** An entity that was created elsewhere with the id of another one that was created here. */
export type Collision = Pick<StateElsewhere, "branch" | "worktree" | "item">;

/** What the branches and worktrees of a repository say about a plan. */
export interface Elsewhere {
  /** The states by the entity's id, those of worktrees first. */
  readonly states: ReadonlyMap<string, StateElsewhere[]>;
  /** Ids that two entities have, one here and one elsewhere. */
  readonly collisions: readonly Collision[];
  /** How many branches with commits of their own were read. */
  readonly branches: number;
  /** How many worktrees were read. */
  readonly worktrees: number;
  /** What was not read, in sentences. */
  readonly leftOut: readonly string[];
}

/** A file that a branch or a worktree has changed; versions are named by the hashes of blobs. */
interface Change {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** What a commit has changed since it left HEAD. */
interface Side {
  /** The newest commit that both share. */
  readonly base: string;
  readonly changes: readonly Change[];
}

/** What is kept between calls for one HEAD. */
interface Kept {
  readonly head: string;
  readonly sides: Map<string, Promise<Side>>;
  /** What the commits of a range changed. */
  readonly ranges: Map<string, readonly FileChange[]>;
  readonly items: Map<string, Item | null>;
}

const kept = new WeakMap<PlanStore, Kept>();

function keptFor(store: PlanStore, head: string): Kept {
  const known = kept.get(store);
  if (known?.head === head && known.items.size <= MOST_KEPT) return known;
  const made: Kept = { head, sides: new Map(), ranges: new Map(), items: new Map() };
  kept.set(store, made);
  return made;
}

/** Reads the states of a plan's entities elsewhere. Where git cannot be read, `leftOut` says so. */
export async function readElsewhere(
  plan: PlanView,
  plugin: LoadedPlan,
  signal: AbortSignal,
): Promise<Elsewhere> {
  try {
    const repository = await readRepository(plan.dir);
    const [branches, worktrees] = await Promise.all([
      readBranches(plan.dir, repository.head),
      readWorktrees(plan.dir),
    ]);
    signal.throwIfAborted();
    return await new Reader(plan, plugin, repository).read(branches, worktrees);
  } catch (error) {
    if (!(error instanceof RefraktError) || signal.aborted) throw error;
    const leftOut = [`Branches and worktrees: ${error.message}`];
    return { states: new Map(), collisions: [], branches: 0, worktrees: 0, leftOut };
  }
}

class Reader {
  readonly #plan: PlanView;
  readonly #plugin: LoadedPlan;
  readonly #repository: RepositoryFacts;
  readonly #kept: Kept;
  readonly #states = new Map<string, StateElsewhere[]>();
  readonly #collisions: Collision[] = [];
  readonly #leftOut: string[] = [];

  constructor(plan: PlanView, plugin: LoadedPlan, repository: RepositoryFacts) {
    [this.#plan, this.#plugin, this.#repository] = [plan, plugin, repository];
    this.#kept = keptFor(plan.store, repository.head);
  }

  async read(branches: readonly Branch[], worktrees: readonly Worktree[]): Promise<Elsewhere> {
    const { folders, leftOut } = readableWorktrees(this.#plan, this.#repository, worktrees);
    this.#leftOut.push(...leftOut);
    // What is in a worktree is newer than what its branch has.
    const others = branches.filter(({ name }) => folders.every(({ branch }) => branch !== name));
    const recent = new Set(
      others.toSorted((a, b) => Date.parse(b.date) - Date.parse(a.date)).slice(0, MOST_BRANCHES),
    );
    if (others.length > recent.size) {
      this.#leftOut.push(`${others.length - recent.size} branches with older commits`);
    }
    for (const folder of folders) await this.#attempt(folder.name, () => this.#worktree(folder));
    // Git reads them at the same time; they are told in their order.
    for (const { commit } of recent) this.#side(commit).catch(() => {});
    for (const branch of others.filter((one) => recent.has(one))) {
      const { name, commit, date } = branch;
      await this.#attempt(name, async () => {
        const { base, changes } = await this.#side(commit);
        await this.#tell({ branch: shown(name), date }, commit, base, changes);
      });
    }
    return {
      states: this.#states,
      collisions: this.#collisions,
      branches: recent.size,
      worktrees: folders.length,
      leftOut: this.#leftOut,
    };
  }

  /** Does a part; what fails of it is left out. */
  async #attempt(name: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof RefraktError) && !isNotFound(error) && !isRefusal(error)) throw error;
      this.#leftOut.push(`${shown(name)}: ${shown(messageOf(error))}`);
    }
  }

  /** Files of a worktree count where they are not as in the commit that it shares with HEAD. */
  async #worktree(worktree: ReadableWorktree): Promise<void> {
    const { path, dir, name, commit, branch } = worktree;
    const { head, prefix } = this.#repository;
    const base = commit === head ? head : (await this.#side(commit)).base;
    const before = await readTree(this.#plan.dir, base);
    const hashes = await hashesIn(this.#plan.store, worktree, this.#repository);
    const changes = hashes.flatMap(([file, after]): Change[] => {
      const at = `${prefix}${file}`;
      if (before.get(at) === after) return [];
      if (!this.#kept.items.has(after)) {
        this.#keep(after, at, readInside(path, join(dir, file), "plan"));
      }
      return [{ path: at, before: before.get(at), after }];
    });
    const place = {
      worktree: shown(name),
      ...(branch === undefined ? {} : { branch: shown(branch) }),
    };
    await this.#tell(place, commit, base, changes);
  }

  #side(commit: string): Promise<Side> {
    const known = this.#kept.sides.get(commit);
    if (known !== undefined) return known;
    const reading = this.#readSide(commit);
    this.#kept.sides.set(commit, reading);
    reading.catch(() => this.#kept.sides.delete(commit));
    return reading;
  }

  async #readSide(commit: string): Promise<Side> {
    const { dir } = this.#plan;
    const base = await mergeBase(dir, this.#repository.head, commit);
    if (base === undefined) {
      throw new RefraktError("NOT_FOUND", "It shares no commit with what is checked out");
    }
    const changes = (await readDifference(dir, base, commit))
      .filter(({ path }) => path.endsWith(".md"))
      .map(({ path, before, after }) => ({ path, before: before[0], after }));
    return { base, changes };
  }

  /** Adds what is different in a place, by what was changed there. */
  async #tell(
    place: Pick<StateElsewhere, "branch" | "worktree" | "date">,
    tip: string,
    base: string,
    changes: readonly Change[],
  ): Promise<void> {
    const some = changes.slice(0, MOST_FILES);
    if (changes.length > some.length) {
      this.#leftOut.push(
        `${place.worktree ?? place.branch}: ${changes.length - some.length} more changed files`,
      );
    }
    await this.#load(some.flatMap(({ path, before, after }) => [[path, before], [path, after]]));
    const before = this.#byId(some.map((change) => change.before));
    const after = this.#byId(some.map((change) => change.after));
    const created = [...after.values()].filter(({ id }) => !before.has(id));
    await this.#compare(place, tip, base, created);
    const found = [...new Map([...before, ...after])].flatMap(
      ([id, item]): { item: Item; differs: string[]; removed?: true }[] => {
        const here = this.#plan.find(id);
        if (!after.has(id)) return here === undefined ? [] : [{ item, differs: [], removed: true }];
        const differs = differences(item, before.get(id)).filter((name) =>
          here === undefined || factsOf(item)[name] !== factsOf(here)[name]
        );
        return differs.length === 0 ? [] : [{ item, differs }];
      },
    );
    const paths = new Set(some.map(({ path }) => path));
    const past = found.length === 0 ? [] : await this.#past(tip, this.#repository.head, paths);
    for (const { item, differs, removed } of found) {
      // A squash merge brings the state of a branch, but not its commits.
      const was = past.filter(({ id }) => id === item.id).map(factsOf);
      const facts = factsOf(item);
      if (!removed && was.some((then) => differs.every((name) => then[name] === facts[name]))) {
        continue;
      }
      const states = this.#states.get(item.id) ?? [];
      this.#states.set(item.id, states);
      const same = states.find((state) =>
        state.removed === removed && differences(item, state.item).length === 0
      );
      if (same !== undefined) same.others++;
      else states.push({ ...place, item, differs, ...(removed ? { removed } : {}), others: 0 });
    }
  }

  /** Finds the entities of a place that are others than those which have their ids here. */
  async #compare(
    place: Pick<Collision, "branch" | "worktree">,
    tip: string,
    base: string,
    created: readonly Item[],
  ): Promise<void> {
    const { dir, find } = this.#plan;
    const pairs = created.flatMap((item) => {
      const here = find(item.id);
      return here === undefined || isSame(here, item) ? [] : [{ here, item }];
    });
    if (pairs.length === 0) return;
    const { head, prefix } = this.#repository;
    const shared = await readTree(dir, base);
    const paths = pairs.flatMap(({ here, item }) => [here, item])
      .map(({ entity }) => `${prefix}${entity.file}`);
    // One that was merged, and changed afterwards, is the same entity.
    const [past, pastThere] = await Promise.all([
      this.#past(tip, head, new Set(paths)),
      this.#past(head, tip, new Set(paths)),
    ]);
    for (const { here, item } of pairs) {
      const isShared = shared.has(`${prefix}${here.entity.file}`) ||
        past.some((one) => one.id === item.id && isSame(one, item)) ||
        pastThere.some((one) => one.id === here.id && isSame(one, here)) ||
        this.#collisions.some((one) => one.item.id === item.id && isSame(one.item, item));
      if (!isShared) this.#collisions.push({ ...place, item });
    }
  }

  /** The versions of some files in the commits that led to one commit and not to another. */
  async #past(from: string, to: string, paths: ReadonlySet<string>): Promise<Item[]> {
    if (from === to) return [];
    const revision = `${from}..${to}`;
    let changes = this.#kept.ranges.get(revision);
    if (changes === undefined) {
      const commits = await readCommits(this.#plan.dir, revision);
      changes = commits.flatMap((commit) => commit.changes);
      this.#kept.ranges.set(revision, changes);
    }
    const past = changes.filter(({ path }) => paths.has(path));
    await this.#load(past.map(({ path, after }) => [path, after]));
    return past.flatMap(({ after }) => this.#item(after) ?? []);
  }

  async #load(
    blobs: readonly (readonly [path: string, blob: string | undefined])[],
  ): Promise<void> {
    const paths = new Map<string, string>();
    for (const [path, blob] of blobs) {
      if (blob !== undefined && !this.#kept.items.has(blob)) paths.set(blob, path);
    }
    await readBlobs(this.#plan.dir, paths.keys(), (blob, text) => {
      this.#keep(blob, paths.get(blob)!, text);
    });
  }

  /** Keeps the entity of a text; `null` where it has none. */
  #keep(blob: string, path: string, text: string): void {
    try {
      const file = inPlan(this.#repository.prefix, path);
      const state = new PlanState([storedFile(this.#plugin.parse, text, file, 0)], []);
      this.#kept.items.set(blob, itemsIn(state, this.#plan.vocabulary).items[0] ?? null);
    } catch (error) {
      if (!isTooHard(error)) throw error;
      this.#kept.items.set(blob, null);
    }
  }

  #item(blob: string | undefined): Item | undefined {
    return blob === undefined ? undefined : this.#kept.items.get(blob) ?? undefined;
  }

  #byId(blobs: readonly (string | undefined)[]): Map<string, Item> {
    return new Map(blobs.flatMap((blob) => this.#item(blob) ?? []).map((item) => [item.id, item]));
  }
}

/** What counts as an entity's state, by names. */
export function factsOf({ title, entity: { attributes, criteria } }: Item): Record<string, string> {
  const { id: _id, name: _name, ...facts } = attributes;
  const ticked = criteria.filter(({ checked }) => checked).length;
  return {
    ...facts,
    title,
    ...(criteria.length === 0 ? {} : { criteria: `${ticked}/${criteria.length}` }),
  };
}

/** Whether two entities of one id have the same title and file. */
function isSame(one: Item, other: Item): boolean {
  return one.title === other.title && one.entity.file === other.entity.file;
}

/** The names of what is not the same in two versions of an entity. */
function differences(item: Item, other: Item | undefined): string[] {
  const [facts, others] = [factsOf(item), other === undefined ? {} : factsOf(other)];
  return [...new Set([...Object.keys(facts), ...Object.keys(others)])]
    .filter((name) => facts[name] !== others[name]);
}

function shown(text: string): string {
  return plainLine(text, MOST_NAME);
}
