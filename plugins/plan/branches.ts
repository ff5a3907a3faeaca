/**
 * The states of entities on other branches and in other worktrees, read without a checkout. A state
 * counts where the branch itself changed it: one that is merely behind says nothing.
 *
 * @module
 */

<<<<<<< HEAD
import { join } from "node:path";
=======
import { createHash } from "node:crypto";
import { join, resolve } from "node:path";
import { runGit } from "../../src/io/git.ts";
>>>>>>> main
import { isTooHard } from "../../src/io/markup_limits.ts";
import { isNotFound } from "../../src/io/paths.ts";
import { isRefusal } from "../../src/io/permissions.ts";
import { readInside } from "../../src/io/read.ts";
import { messageOf, RefraktError } from "../../src/errors.ts";
import { plainLine } from "../../src/plain_text.ts";
import {
<<<<<<< HEAD
  type FileChange,
  mergeBase,
=======
>>>>>>> main
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

<<<<<<< HEAD
/** How many branches and how many changed files of each are read. */
const [MOST_BRANCHES, MOST_FILES] = [50, 500];
/** How many versions of entities are kept. */
const MOST_KEPT = 2000;
const MOST_NAME = 120;
=======
/** How many branches, worktrees and changed files of each are read. */
const [MOST_BRANCHES, MOST_WORKTREES, MOST_FILES] = [50, 16, 500];
/** How many versions of entities and answers of git are kept. */
const [MOST_KEPT, MOST_ANSWERS] = [2000, 500];
>>>>>>> main

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
<<<<<<< HEAD
  readonly states: ReadonlyMap<string, StateElsewhere[]>;
  /** Ids that two entities have, one here and one elsewhere. */
  readonly collisions: readonly Collision[];
=======
  readonly states: Map<string, StateElsewhere[]>;
>>>>>>> main
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

<<<<<<< HEAD
/** What a commit has changed since it left HEAD. */
interface Side {
  /** The newest commit that both share. */
  readonly base: string;
  readonly changes: readonly Change[];
}
=======
/** A worktree that may be read: with its plan and how it is shown. */
type Readable = Worktree & { readonly dir: string; readonly name: string };

type Answers<Answer> = Map<string, Promise<Answer>>;
>>>>>>> main

/** What is kept between calls for one HEAD. */
interface Kept {
  readonly head: string;
<<<<<<< HEAD
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
=======
  /** Answers of git that never change: what commits changed, all their files, what came later. */
  readonly sides: Answers<{ base: string; changes: Change[] }>;
  readonly trees: Answers<ReadonlyMap<string, string>>;
  readonly past: Answers<(readonly [path: string, blob: string | undefined])[]>;
  /** Entities by the hashes of their files. */
  readonly items: Map<string, Item | null>;
  /** The plan's files in worktrees. Of each file only the hash is kept. */
  readonly worktrees: Map<string, { files: PlanFiles; hashes: WeakMap<StoredFile, string> }>;
}

const keptOf = new WeakMap<PlanStore, Kept>();
>>>>>>> main

/** Reads the states of a plan's entities elsewhere. Where git cannot be read, `leftOut` says so. */
export async function readElsewhere(
  plan: PlanView,
  plugin: LoadedPlan,
  signal: AbortSignal,
): Promise<Elsewhere> {
  const found: Elsewhere = { states: new Map(), branches: 0, worktrees: 0, leftOut: [] };
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
<<<<<<< HEAD
    if (!(error instanceof RefraktError) || signal.aborted) throw error;
    const leftOut = [`Branches and worktrees: ${error.message}`];
    return { states: new Map(), collisions: [], branches: 0, worktrees: 0, leftOut };
=======
    if (!(error instanceof RefraktError) && !isNotFound(error) && !isRefusal(error)) throw error;
    leftOut.push(`${name}: ${plainLine(messageOf(error), 200)}`);
>>>>>>> main
  }
}

class Reader {
  readonly #kept: Kept;
<<<<<<< HEAD
  readonly #states = new Map<string, StateElsewhere[]>();
  readonly #collisions: Collision[] = [];
  readonly #leftOut: string[] = [];
=======
  /** Worktrees of which git alone may read the commit that is checked out, which has no branch. */
  readonly #detached: (Worktree & { readonly name: string })[] = [];
>>>>>>> main

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
    const worktrees: Kept["worktrees"] = known?.worktrees ?? new Map();
    const [sides, trees, past, items] = [new Map(), new Map(), new Map(), new Map()];
    this.#kept = isUsable ? known : { head, sides, trees, past, items, worktrees };
    keptOf.set(plan.store, this.#kept);
  }

<<<<<<< HEAD
  async read(branches: readonly Branch[], worktrees: readonly Worktree[]): Promise<Elsewhere> {
    const { folders, leftOut } = readableWorktrees(this.#plan, this.#repository, worktrees);
    this.#leftOut.push(...leftOut);
=======
  async read(branches: readonly Branch[], worktrees: readonly Worktree[]): Promise<void> {
    const { found } = this;
    const folders = this.#readable(worktrees);
>>>>>>> main
    // What is in a worktree is newer than what its branch has.
    const others = branches.filter(({ name }) => folders.every(({ branch }) => branch !== name));
    const recent = others.slice(0, MOST_BRANCHES);
    [found.branches, found.worktrees] = [recent.length, folders.length];
    if (others.length > recent.length) {
      found.leftOut.push(`${others.length - recent.length} branches with older commits`);
    }
<<<<<<< HEAD
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
=======
    for (const folder of folders) {
      await attempt(found, folder.name, () => this.#worktree(folder));
    }
    for (const { name, commit } of this.#detached.slice(0, MOST_WORKTREES)) {
      await attempt(found, name, async () => {
        await this.#tell({ worktree: name }, commit, (await this.#side(commit)).changes);
      });
    }
    // Git reads them at the same time; of two with the same state the local one is told.
    for (const { commit } of recent) this.#side(commit).catch(() => {});
    for (const { name, commit, date } of recent.toSorted(localFirst)) {
      await attempt(found, name, async () => {
        await this.#tell({ branch: name, date }, commit, (await this.#side(commit)).changes);
      });
    }
  }

  /** The worktrees beside this one. Their paths come from the repository: they may be anywhere. */
  #readable(worktrees: readonly Worktree[]): Readable[] {
    const { plan: { cwd, dir }, repository: { prefix }, found: { leftOut } } = this;
    const found = worktrees.flatMap((worktree): Readable[] => {
      const name = shownPath(cwd, worktree.path);
      if (resolve(worktree.path, prefix) === dir) return [];
      try {
        const path = Deno.realPathSync(worktree.path);
        const plan = Deno.realPathSync(join(path, prefix));
        // A link may lead out of it, or back to this plan.
        if (plan === dir || !isInside(path, plan) || !mayRead(path)) return [];
        return [{ ...worktree, path, dir: plan, name }];
      } catch (error) {
        // One that was deleted, or has no plan, has nothing to say.
        if (isRefusal(error)) {
          leftOut.push(`The worktree ${name}: it may not be read, its commits were`);
          if (worktree.branch === undefined) this.#detached.push({ ...worktree, name });
        }
        return [];
      }
    });
    if (found.length > MOST_WORKTREES) {
      leftOut.push(`${found.length - MOST_WORKTREES} more worktrees`);
    }
    for (const path of this.#kept.worktrees.keys()) {
      if (found.every((one) => one.path !== path)) this.#kept.worktrees.delete(path);
    }
    return found.slice(0, MOST_WORKTREES);
  }

  /** Files of a worktree count where they are not as in the commit that it shares with HEAD. */
  async #worktree({ path, dir, name, commit, branch }: Readable): Promise<void> {
    const { items } = this.#kept;
    const { base } = await this.#side(commit);
    const before = await once(this.#kept.trees, base, () => readTree(this.plan.dir, base));
    const { files, hashes } = this.#filesOf(path, dir);
    const changes = (await inSlices(files.look())).files.flatMap((stored): Change[] => {
      const [at, after] = [`${this.repository.prefix}${stored.file}`, hashes.get(stored)];
      if (after === undefined || before.get(at) === after) return [];
      if (!items.has(after)) {
        this.#keep(after, at, readInside(path, join(dir, stored.file), "plan"));
      }
      return [{ path: at, before: before.get(at), after }];
    });
    const place = { worktree: name, ...(branch === undefined ? {} : { branch }) };
    await this.#tell(place, commit, changes);
  }

  #filesOf(path: string, dir: string) {
    const known = this.#kept.worktrees.get(path);
    if (known !== undefined) return known;
    const algorithm = this.repository.head.length === 64 ? "sha256" : "sha1";
    const hashes = new WeakMap<StoredFile, string>();
    const files = new PlanFiles(path, dir, (text, file, mtime) => {
      const bytes = new TextEncoder().encode(text.replaceAll("\r\n", "\n"));
      const stored = new StoredFile(file, "", null, mtime);
      const hash = createHash(algorithm).update(`blob ${bytes.length}\0`).update(bytes);
      hashes.set(stored, hash.digest("hex"));
      return stored;
    });
    this.#kept.worktrees.set(path, { files, hashes });
    return { files, hashes };
>>>>>>> main
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
<<<<<<< HEAD
    base: string,
    changes: readonly Change[],
=======
    all: readonly Change[],
>>>>>>> main
  ): Promise<void> {
    const { states, leftOut } = this.found;
    const changes = all.slice(0, MOST_FILES);
    if (all.length > changes.length) {
      const rest = all.length - changes.length;
      leftOut.push(`${place.worktree ?? place.branch}: ${rest} more changed files`);
    }
<<<<<<< HEAD
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
=======
    await this.#load(changes.flatMap(({ path, before, after }) => [[path, before], [path, after]]));
    const before = new Map(
      this.#items(changes.map((one) => one.before)).map((one) => [one.id, one]),
    );
    const found = this.#items(changes.map((one) => one.after)).flatMap((item) => {
      const here = this.plan.find(item.id);
      const differs = differences(item, before.get(item.id))
        .filter((name) => here === undefined || factsOf(item)[name] !== factsOf(here)[name]);
      return differs.length === 0 ? [] : [{ item, differs }];
    });
    const past = found.length === 0 ? [] : await this.#past(tip, changes);
    for (const { item, differs } of found) {
      const facts = factsOf(item);
>>>>>>> main
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

<<<<<<< HEAD
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
=======
  /** The versions that HEAD has had of some files since a commit left it. */
  async #past(tip: string, changes: readonly Change[]): Promise<Item[]> {
    const revision = `${tip}..${this.repository.head}`;
    const paths = new Set(changes.map(({ path }) => path));
    const past = await once(this.#kept.past, [revision, ...paths].join("\0"), async () => {
      const commits = await readCommits(this.plan.dir, revision);
      return commits.flatMap((commit) => commit.changes)
        .flatMap(({ path, after }) => paths.has(path) ? [[path, after] as const] : []);
    });
    await this.#load(past);
    return this.#items(past.map(([, after]) => after));
>>>>>>> main
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

/** What counts as an entity's state: its attributes, `title` and how many `criteria` are ticked. */
export function factsOf({ title, entity: { attributes, criteria } }: Item): Record<string, string> {
  const { id: _id, name: _name, ...facts } = attributes;
  const ticked = criteria.filter(({ checked }) => checked).length;
  return { ...facts, title, criteria: `${ticked}/${criteria.length}` };
}

/** Whether two entities of one id have the same title and file. */
function isSame(one: Item, other: Item): boolean {
  return one.title === other.title && one.entity.file === other.entity.file;
}

/** The names of what is not the same in two versions of an entity. */
function differences(item: Item, other: Item | undefined): string[] {
  const [facts, others] = [factsOf(item), other === undefined ? {} : factsOf(other)];
  return Object.keys({ ...facts, ...others }).filter((name) => facts[name] !== others[name]);
}
