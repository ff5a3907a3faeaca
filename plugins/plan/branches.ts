/**
 * The states of entities on other branches and in other worktrees, read without a checkout. A state
 * counts where the branch itself changed it: one that is merely behind says nothing.
 *
 * @module
 */

import { join } from "node:path";
import { runGit } from "../../src/io/git.ts";
import { isTooHard } from "../../src/io/markup_limits.ts";
import { isNotFound } from "../../src/io/paths.ts";
import { isRefusal } from "../../src/io/permissions.ts";
import { readInside } from "../../src/io/read.ts";
import { messageOf, RefraktError } from "../../src/errors.ts";
import { plainLine } from "../../src/plain_text.ts";
import {
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
import { hashesIn, MOST_WORKTREES, type ReadableWorktree, readableWorktrees } from "./worktrees.ts";

/** How many branches and changed files of each place are read. */
const [MOST_BRANCHES, MOST_FILES] = [50, 500];
/** How many versions of entities and answers of git are kept. */
const [MOST_KEPT, MOST_ANSWERS] = [2000, 500];

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
  /** What was changed there and is different here; see {@linkcode factsOf}. */
  readonly differs: readonly string[];
  /** How many other branches have the same state. */
  others: number;
}

/** An entity that was created elsewhere with the id of another one that was created here. */
export type Collision = Pick<StateElsewhere, "branch" | "worktree" | "item">;

/** What the branches and worktrees of a repository say about a plan. */
export interface Elsewhere {
  /** The states by the entity's id, those of worktrees first. */
  readonly states: Map<string, StateElsewhere[]>;
  /** Ids that two entities have, one here and one elsewhere. */
  readonly collisions: Collision[];
  /** How many branches with commits of their own were read. */
  branches: number;
  /** How many worktrees were read. */
  worktrees: number;
  /** What was not read, in sentences. */
  readonly leftOut: string[];
}

/** A file that a branch or a worktree has changed; versions are named by the hashes of blobs. */
interface Change {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

type Answers<Answer> = Map<string, Promise<Answer>>;

/** What is kept between calls for one HEAD. */
interface Kept {
  readonly head: string;
  /** Answers of git that never change: what commits changed, all their files, what came later. */
  readonly sides: Answers<{ base: string; changes: Change[] }>;
  readonly trees: Answers<ReadonlyMap<string, string>>;
  readonly past: Answers<(readonly [path: string, blob: string | undefined])[]>;
  /** Entities by the hashes of their files. */
  readonly items: Map<string, Item | null>;
}

const keptOf = new WeakMap<PlanStore, Kept>();

/** Reads the states of a plan's entities elsewhere. Where git cannot be read, `leftOut` says so. */
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
    const repository = await readRepository(plan.dir);
    const [branches, worktrees] = await Promise.all([
      readBranches(plan.dir, repository.head),
      readWorktrees(plan.dir),
    ]);
    signal.throwIfAborted();
    await new Reader(plan, plugin, repository, found).read(branches, worktrees);
  });
  signal.throwIfAborted();
  return found;
}

/** Does a part; what fails of it is left out. */
async function attempt({ leftOut }: Elsewhere, name: string, work: () => Promise<void>) {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof RefraktError) && !isNotFound(error) && !isRefusal(error)) throw error;
    leftOut.push(`${name}: ${plainLine(messageOf(error), 200)}`);
  }
}

class Reader {
  readonly #kept: Kept;
  constructor(
    readonly plan: PlanView,
    readonly plugin: LoadedPlan,
    readonly repository: RepositoryFacts,
    readonly found: Elsewhere,
  ) {
    const { head } = repository;
    const known = keptOf.get(plan.store);
    const isUsable = known?.head === head && known.items.size <= MOST_KEPT &&
      known.sides.size + known.past.size <= MOST_ANSWERS;
    const [sides, trees, past, items] = [new Map(), new Map(), new Map(), new Map()];
    this.#kept = isUsable ? known : { head, sides, trees, past, items };
    keptOf.set(plan.store, this.#kept);
  }

  async read(branches: readonly Branch[], worktrees: readonly Worktree[]): Promise<void> {
    const { found } = this;
    const { folders, unread, leftOut } = readableWorktrees(this.plan, this.repository, worktrees);
    found.leftOut.push(...leftOut);
    // What is in a worktree is newer than what its branch has.
    const others = branches.filter(({ name }) => folders.every(({ branch }) => branch !== name));
    const recent = others.slice(0, MOST_BRANCHES);
    [found.branches, found.worktrees] = [recent.length, folders.length];
    if (others.length > recent.length) {
      found.leftOut.push(`${others.length - recent.length} branches with older commits`);
    }
    for (const folder of folders) {
      await attempt(found, folder.name, () => this.#worktree(folder));
    }
    // Git alone may read these commits; those of branches are read with their branches.
    const detached = unread.filter(({ branch }) => branch === undefined);
    for (const { name, commit } of detached.slice(0, MOST_WORKTREES)) {
      await attempt(found, name, async () => {
        await this.#tell({ worktree: name }, commit, await this.#side(commit));
      });
    }
    // Git reads them at the same time; of two with the same state the local one is told.
    for (const { commit } of recent) this.#side(commit).catch(() => {});
    for (const { name, commit, date } of recent.toSorted(localFirst)) {
      await attempt(found, name, async () => {
        await this.#tell({ branch: name, date }, commit, await this.#side(commit));
      });
    }
  }

  /** Files of a worktree count where they are not as in the commit that it shares with HEAD. */
  async #worktree(worktree: ReadableWorktree): Promise<void> {
    const { path, dir, name, commit, branch } = worktree;
    const { items } = this.#kept;
    const { base } = await this.#side(commit);
    const before = await this.#tree(base);
    const changes: Change[] = [];
    for (const [file, after] of await hashesIn(this.plan.store, worktree, this.repository)) {
      const at = `${this.repository.prefix}${file}`;
      if (before.get(at) === after) continue;
      if (!items.has(after)) this.#keep(after, at, readInside(path, join(dir, file), "plan"));
      changes.push({ path: at, before: before.get(at), after });
    }
    const place = { worktree: name, ...(branch === undefined ? {} : { branch }) };
    await this.#tell(place, commit, { base, changes });
  }

  #tree(commit: string): Promise<ReadonlyMap<string, string>> {
    return once(this.#kept.trees, commit, () => readTree(this.plan.dir, commit));
  }

  /** What a commit has changed since it left HEAD, and the commit that both share. */
  #side(commit: string): Promise<{ base: string; changes: Change[] }> {
    return once(this.#kept.sides, commit, async () => {
      const { plan: { dir }, repository: { head } } = this;
      const { code, stdout } = await runGit(["merge-base", head, commit], { cwd: dir });
      if (code !== 0) {
        throw new RefraktError("NOT_FOUND", "It shares no commit with what is checked out");
      }
      const base = new TextDecoder().decode(stdout).trim();
      const changes = (await readDifference(dir, base, commit))
        .filter(({ path }) => path.endsWith(".md"))
        .map(({ path, before, after }) => ({ path, before: before[0], after }));
      return { base, changes };
    });
  }

  /** Adds what is different in a place, by what was changed there. */
  async #tell(
    place: Pick<StateElsewhere, "branch" | "worktree" | "date">,
    tip: string,
    { base, changes: all }: { readonly base: string; readonly changes: readonly Change[] },
  ): Promise<void> {
    const { states, leftOut } = this.found;
    const changes = all.slice(0, MOST_FILES);
    if (all.length > changes.length) {
      const rest = all.length - changes.length;
      leftOut.push(`${place.worktree ?? place.branch}: ${rest} more changed files`);
    }
    await this.#load(changes.flatMap(({ path, before, after }) => [[path, before], [path, after]]));
    const before = new Map(
      this.#items(changes.map((one) => one.before)).map((one) => [one.id, one]),
    );
    const after = this.#items(changes.map((one) => one.after));
    await this.#compare(place, tip, base, after.filter(({ id }) => !before.has(id)));
    const found = after.flatMap((item) => {
      const here = this.plan.find(item.id);
      const differs = differences(item, before.get(item.id))
        .filter((name) => here === undefined || factsOf(item)[name] !== factsOf(here)[name]);
      return differs.length === 0 ? [] : [{ item, differs }];
    });
    const paths = changes.map(({ path }) => path);
    const past = found.length === 0 ? [] : await this.#past(tip, this.repository.head, paths);
    for (const { item, differs } of found) {
      const facts = factsOf(item);
      // A squash merge brings the state of a branch, but not its commits.
      const was = past.filter(({ id }) => id === item.id).map(factsOf);
      if (was.some((then) => differs.every((name) => then[name] === facts[name]))) continue;
      const known = states.get(item.id) ?? [];
      states.set(item.id, known);
      const same = known.find((state) => differences(item, state.item).length === 0);
      if (same !== undefined) same.others++;
      else known.push({ ...place, item, differs, others: 0 });
    }
  }

  /** Finds the entities of a place that are others than those which have their ids here. */
  async #compare(
    place: Pick<Collision, "branch" | "worktree">,
    tip: string,
    base: string,
    created: readonly Item[],
  ): Promise<void> {
    const { plan: { find }, repository: { head, prefix }, found: { collisions } } = this;
    const pairs = created.flatMap((item) => {
      const here = find(item.id);
      return here === undefined || isSame(here, item) ? [] : [{ here, item }];
    });
    if (pairs.length === 0) return;
    const shared = await this.#tree(base);
    const pathOf = ({ entity }: Item) => `${prefix}${entity.file}`;
    const paths = pairs.flatMap(({ here, item }) => [pathOf(here), pathOf(item)]);
    // One that was merged, and changed afterwards, is the same entity.
    const [past, pastThere] = await Promise.all([
      this.#past(tip, head, paths),
      this.#past(head, tip, paths),
    ]);
    for (const { here, item } of pairs) {
      const isKnown = shared.has(pathOf(here)) || past.some((one) => isSame(one, item)) ||
        pastThere.some((one) => isSame(one, here)) ||
        collisions.some((one) => isSame(one.item, item));
      if (!isKnown) collisions.push({ ...place, item });
    }
  }

  /** The versions of some files in the commits that led to one commit and not to another. */
  async #past(from: string, to: string, given: readonly string[]): Promise<Item[]> {
    const revision = `${from}..${to}`;
    const paths = new Set(given);
    const past = await once(this.#kept.past, [revision, ...paths].join("\0"), async () => {
      const commits = await readCommits(this.plan.dir, revision);
      return commits.flatMap((commit) => commit.changes)
        .flatMap(({ path, after }) => paths.has(path) ? [[path, after] as const] : []);
    });
    await this.#load(past);
    return this.#items(past.map(([, after]) => after));
  }

  async #load(blobs: readonly (readonly [path: string, blob: string | undefined])[]) {
    const paths = new Map<string, string>();
    for (const [path, blob] of blobs) {
      if (blob !== undefined && !this.#kept.items.has(blob)) paths.set(blob, path);
    }
    await readBlobs(
      this.plan.dir,
      paths.keys(),
      (blob, text) => this.#keep(blob, paths.get(blob)!, text),
    );
  }

  /** Keeps the entity of a text; `null` where it has none. */
  #keep(blob: string, path: string, text: string): void {
    let item: Item | undefined;
    try {
      const file = inPlan(this.repository.prefix, path);
      const state = new PlanState([storedFile(this.plugin.parse, text, file, 0)], []);
      [item] = itemsIn(state, this.plan.vocabulary).items;
    } catch (error) {
      if (!isTooHard(error)) throw error;
    }
    this.#kept.items.set(blob, item ?? null);
  }

  #items(blobs: readonly (string | undefined)[]): Item[] {
    return blobs.flatMap((blob) => this.#kept.items.get(blob ?? "") ?? []);
  }
}

/** Asks git what is not known yet. */
function once<Answer>(known: Answers<Answer>, key: string, ask: () => Promise<Answer>) {
  const answer = known.get(key) ?? ask();
  known.set(key, answer);
  answer.catch(() => known.delete(key));
  return answer;
}

function localFirst(a: Branch, b: Branch): number {
  return Number(a.isRemote) - Number(b.isRemote);
}

/** Whether two entities have the same id, title and file. */
function isSame(one: Item, other: Item): boolean {
  return one.id === other.id && one.title === other.title && one.entity.file === other.entity.file;
}

/** What counts as an entity's state: its attributes, `title` and how many `criteria` are ticked. */
export function factsOf({ title, entity: { attributes, criteria } }: Item): Record<string, string> {
  const { id: _id, name: _name, ...facts } = attributes;
  const ticked = criteria.filter(({ checked }) => checked).length;
  return { ...facts, title, criteria: `${ticked}/${criteria.length}` };
}

/** The names of what is not the same in two versions of an entity. */
function differences(item: Item, other: Item | undefined): string[] {
  const [facts, others] = [factsOf(item), other === undefined ? {} : factsOf(other)];
  return Object.keys({ ...facts, ...others }).filter((name) => facts[name] !== others[name]);
}
