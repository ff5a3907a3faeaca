/**
 * The states of entities on other branches and in other worktrees, read without a checkout. A state
 * counts where the branch itself changed it: one that is merely behind says nothing.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { join, resolve } from "node:path";
import { runGit } from "../../src/io/git.ts";
import { isTooHard } from "../../src/io/markup_limits.ts";
import { isInside, isNotFound, shownPath } from "../../src/io/paths.ts";
import { isRefusal, mayRead } from "../../src/io/permissions.ts";
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
import { PlanFiles } from "./store/plan_files.ts";
import { PlanState, StoredFile } from "./store/plan_state.ts";
import { inSlices } from "./store/slices.ts";

/** How many branches, worktrees and changed files of each are read. */
const [MOST_BRANCHES, MOST_WORKTREES, MOST_FILES] = [50, 16, 500];
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

/** What the branches and worktrees of a repository say about a plan. */
export interface Elsewhere {
  /** The states by the entity's id, those of worktrees first. */
  readonly states: Map<string, StateElsewhere[]>;
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

/** A worktree that may be read: with its plan and how it is shown. */
type Readable = Worktree & { readonly dir: string; readonly name: string };

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
  /** The plan's files in worktrees. Of each file only the hash is kept. */
  readonly worktrees: Map<string, { files: PlanFiles; hashes: WeakMap<StoredFile, string> }>;
}

const keptOf = new WeakMap<PlanStore, Kept>();

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
    if (!(error instanceof RefraktError) && !isNotFound(error) && !isRefusal(error)) throw error;
    leftOut.push(`${name}: ${plainLine(messageOf(error), 200)}`);
  }
}

class Reader {
  readonly #kept: Kept;
  /** Worktrees of which git alone may read the commit that is checked out, which has no branch. */
  readonly #detached: (Worktree & { readonly name: string })[] = [];

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

  async read(branches: readonly Branch[], worktrees: readonly Worktree[]): Promise<void> {
    const { found } = this;
    const folders = this.#readable(worktrees);
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
    all: readonly Change[],
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
    const found = this.#items(changes.map((one) => one.after)).flatMap((item) => {
      const here = this.plan.find(item.id);
      const differs = differences(item, before.get(item.id))
        .filter((name) => here === undefined || factsOf(item)[name] !== factsOf(here)[name]);
      return differs.length === 0 ? [] : [{ item, differs }];
    });
    const past = found.length === 0 ? [] : await this.#past(tip, changes);
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

/** The names of what is not the same in two versions of an entity. */
function differences(item: Item, other: Item | undefined): string[] {
  const [facts, others] = [factsOf(item), other === undefined ? {} : factsOf(other)];
  return Object.keys({ ...facts, ...others }).filter((name) => facts[name] !== others[name]);
}
