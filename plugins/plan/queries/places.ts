/**
 * The branches and worktrees of a plan's repository, and what is changed there, read without a
 * checkout. What depends only on hashes is kept.
 */

import { join, resolve } from "node:path";
import { messageOf, RefraktError } from "../../../src/errors.ts";
import { blobHash } from "../../../src/io/blob_hash.ts";
import { isTooHard } from "../../../src/markdoc/markup_limits.ts";
import { isInside, isNotFound, realPathOf, shownPath } from "../../../src/io/paths.ts";
import { isRefusal, mayRead } from "../../../src/io/permissions.ts";
import { readInside } from "../../../src/io/read.ts";
import { turnTaker } from "../../../src/io/turns.ts";
import { ENTITY_TYPES } from "../entity/types.ts";
import { countAndLimit, quotedName, shortLine, word } from "../../../src/plain_text.ts";
import type { Entity, FileContent } from "../entity/entity.ts";
import { readDifferences, readRepository, readTree, type RepositoryFacts } from "../git/log.ts";
import type { GitPlace } from "../../../src/io/git_ask.ts";
import { readBlobs } from "../../../src/io/git_objects.ts";
import {
  commitsAhead,
  type MemoPlace,
  mergeBase,
  type Parents,
  type Refs,
  type Worktree,
} from "../git/refs.ts";
import { inPlan } from "../git/events.ts";
import type { PlanPlace } from "../store/place.ts";
import { PlanFiles } from "../store/plan_files.ts";
import { entityOfText } from "./access.ts";

/** How many branches and worktrees, and changed files of each, are read. */
const [MOST_BRANCHES, MOST_WORKTREES, MOST_FILES] = [200, 16, 500];
/** How many file versions and comparisons are kept. */
const MOST_KEPT = 10_000;
/** The timeout of one git call, in milliseconds. */
const TIMEOUT_MS = 20_000;

/** The hash of an empty blob, in SHA-1 and SHA-256. */
const EMPTY = /^(?:e69de29bb2d1|473a0f4c3be8)/;

const BEGINNINGS = new RegExp(String.raw`\{%\s*(?:${ENTITY_TYPES.join("|")})\b`, "g");
const NO_BASE = "It has no common ancestor with HEAD";

/** A file that differs, with the hashes of its blobs. */
export interface PlaceChange {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** A worktree whose plan may be read. */
export interface Folder extends Worktree {
  /** The real path of its plan. */
  readonly dir: string;
  /** The folder that its files must not leave. */
  readonly root: string;
  /** The path as shown in answers. */
  readonly name: string;
}

/** What git says of a repository while its refs are the same. */
interface Facts {
  readonly repository: RepositoryFacts;
  readonly ahead: Parents | undefined;
  /** Sentences about commits that were not read. */
  readonly leftOut: readonly string[];
}

/** A file of a worktree, of which only the hash is kept. */
type HashedFile = { readonly file: string; readonly blob: string } | undefined;

/** What is kept of a plan's repository. */
class Kept {
  /** What differs between two commits, by their hashes. */
  readonly differences = new Map<string, readonly PlaceChange[]>();
  /** Entities by the hashes of their blobs; `null` for a text without one. */
  readonly items = new Map<string, Entity | null>();
  /** The blobs in which several entities may begin. */
  readonly several = new Set<string>();
  readonly folders = new Map<string, PlanFiles<HashedFile>>();
}

/** One pass over the places; `leftOut` collects sentences about what it could not read. */
export class Places {
  readonly folders: readonly Folder[];
  /** Worktrees of which only the commits are readable. */
  readonly unread: readonly (Worktree & { readonly name: string })[];
  readonly #kept: Kept;
  /** Why git cannot tell what differs: only for this pass, since objects may be fetched. */
  readonly #failed = new Map<string, string>();

  private constructor(
    readonly place: PlanPlace,
    readonly git: MemoPlace,
    readonly refs: Refs,
    readonly facts: Facts,
    readonly leftOut: string[],
  ) {
    const found = worktreesOf(place, facts.repository, refs.worktrees);
    [this.folders, this.unread] = [found.folders, found.unread];
    leftOut.push(...refs.leftOut, ...facts.leftOut, ...found.leftOut);
    const last = git.memo(["places", place.dir], () => ({ kept: new Kept() }));
    // Other passes go on with theirs.
    if (last.kept.items.size + last.kept.differences.size > MOST_KEPT) last.kept = new Kept();
    this.#kept = last.kept;
    const { folders } = this.#kept;
    for (const dir of folders.keys()) {
      if (dir !== place.dir && this.folders.every((one) => one.dir !== dir)) folders.delete(dir);
    }
  }

  static async open(place: PlanPlace, refs: Refs, leftOut: string[]): Promise<Places> {
    const git = { ...place.git, timeoutMs: TIMEOUT_MS };
    const facts = await git.memo(["ahead", refs], () => factsOf(git, refs));
    return new Places(place, git, refs, facts, leftOut);
  }

  /** Returns the newest of branches that are sorted by age. */
  newest<Tip>(tips: readonly Tip[]): Tip[] {
    if (tips.length > MOST_BRANCHES) {
      const branches = countAndLimit(tips.length, "branches", MOST_BRANCHES);
      this.leftOut.push(`Older branches were not read: there are ${branches}`);
    }
    return tips.slice(0, MOST_BRANCHES);
  }

  /** Finds the merge bases of commits with HEAD; empty if there is none. */
  async basesOf(commits: readonly string[]): Promise<Map<string, string>> {
    const { git, facts: { repository: { head }, ahead } } = this;
    return new Map(
      await Promise.all(
        [...new Set(commits)].map(async (commit) =>
          [commit, isUnborn(commit) ? "" : await mergeBase(git, head, commit, ahead) ?? ""] as const
        ),
      ),
    );
  }

  /** Compares commits; one git call compares them all. */
  async compare(pairs: Iterable<readonly [commit: string, from: string]>): Promise<void> {
    const known = this.#kept.differences;
    const wanted = [...pairs].filter(([commit, from]) => !known.has(`${from} ${commit}`));
    for (const [commit] of wanted) this.#failed.set(` ${commit}`, NO_BASE);
    const asked = wanted.filter(([, from]) => from !== "");
    const { differences, failed } = await readDifferences(this.git, asked);
    const changed = new Map(differences.map(({ hash, changes }) => [hash, changes]));
    for (const [commit, from] of asked) {
      const changes = (changed.get(commit) ?? []).filter(({ path }) => path.endsWith(".md"))
        .map(({ path, before, after }) => ({ path, before: before[0], after }));
      const why = failed.get(commit);
      if (why === undefined) known.set(`${from} ${commit}`, changes);
      else this.#failed.set(`${from} ${commit}`, why);
    }
  }

  /** What {@linkcode compare} found; nothing where git cannot tell, with the reason in `leftOut`. */
  changesOf(name: string, commit: string, from: string): readonly PlaceChange[] {
    const why = this.#failed.get(`${from} ${commit}`);
    if (why !== undefined) this.leftOut.push(`${name}: ${why}`);
    return this.#first(name, this.#kept.differences.get(`${from} ${commit}`) ?? []);
  }

  #first(name: string, changes: readonly PlaceChange[]): readonly PlaceChange[] {
    const rest = changes.length - MOST_FILES;
    if (rest > 0) this.leftOut.push(`${name}: ${rest} more changed files`);
    return changes.slice(0, MOST_FILES);
  }

  /** Compares a worktree's files with those of a commit, and keeps their texts. */
  async changesIn({ name, dir, root }: Folder, commit: string): Promise<readonly PlaceChange[]> {
    const { facts: { repository: { head, prefix } }, place } = this;
    const kept = this.#kept;
    try {
      if (commit === "") throw new RefraktError("NOT_FOUND", NO_BASE);
      const before = await readTree(this.git, commit);
      const keep = (file: string, content: FileContent): HashedFile =>
        "text" in content
          ? { file, blob: blobHash(content.text.replaceAll("\r\n", "\n"), head.length) }
          : undefined;
      const files = kept.folders.getOrInsertComputed(dir, () => new PlanFiles(root, dir, keep));
      const gone = new Map(before);
      const changes: PlaceChange[] = [];
      for (const one of (await files.look(turnTaker(place.signal))).files) {
        if (one === undefined) continue;
        const path = `${prefix}${one.file}`;
        gone.delete(path);
        if (before.get(path) === one.blob) continue;
        if (!kept.items.has(one.blob)) {
          this.#keep(one.blob, path, readInside(root, join(dir, one.file), "plan"));
        }
        changes.push({ path, before: before.get(path), after: one.blob });
      }
      for (const [path, blob] of gone) {
        if (path.endsWith(".md")) changes.push({ path, before: blob, after: undefined });
      }
      return this.#first(name, changes);
    } catch (error) {
      const isPart = error instanceof RefraktError && error.code !== "TIMEOUT";
      if (!isPart && !isNotFound(error) && !isRefusal(error)) throw error;
      this.leftOut.push(`The worktree ${quotedName(name)}: ${shortLine(messageOf(error), 200)}`);
      return [];
    }
  }

  /** Reads the versions that are not kept. */
  async load(changes: Iterable<PlaceChange>): Promise<void> {
    const paths = new Map<string, string>();
    for (const { path, before, after } of changes) {
      for (const blob of [before, after]) {
        if (blob !== undefined && !this.#kept.items.has(blob)) paths.set(blob, path);
      }
    }
    const rest = paths.size - MOST_KEPT;
    if (rest > 0) this.leftOut.push(`${rest} more file versions of other branches`);
    let missing = 0;
    await readBlobs(this.git, paths.keys().take(MOST_KEPT), (blob, text) => {
      if (text === "" && !EMPTY.test(blob)) missing++;
      else this.#keep(blob, paths.get(blob)!, text);
    });
    if (missing > 0) {
      this.leftOut.push(`${missing} file versions that the clone lacks, or that are too large`);
    }
  }

  /** The entity of a blob that was read. */
  itemOf(blob: string | undefined): Entity | undefined {
    return this.#kept.items.get(blob ?? "") ?? undefined;
  }

  /** The ids of all entities in a blob that was read. */
  idsOf(blob: string | undefined): string[] {
    const item = this.itemOf(blob);
    // Most files have one entity, whose first lines are enough.
    const further = this.#kept.several.has(blob ?? "") ? item?.source.parsed.further ?? [] : [];
    return [...item?.hasId ? [item] : [], ...further].flatMap(({ id }) => id ?? []);
  }

  #keep(blob: string, path: string, text: string): void {
    let item: Entity | undefined;
    try {
      item = entityOfText(this.place, text, inPlan(this.facts.repository.prefix, path));
    } catch (error) {
      if (!isTooHard(error)) throw error;
    }
    this.#kept.items.set(blob, item ?? null);
    if ((text.match(BEGINNINGS)?.length ?? 0) > 1) this.#kept.several.add(blob);
  }
}

async function factsOf(git: GitPlace, { branches, worktrees }: Refs): Promise<Facts> {
  const repository = await readRepository(git);
  const commits = [...branches, ...worktrees].map(({ commit }) => commit)
    .filter((commit) => !isUnborn(commit));
  const { parents, leftOut } = await commitsAhead(git, repository.head, commits);
  return { repository, ahead: parents, leftOut };
}

/** A branch at the start of a sentence. */
export const branchNamed = (name: string) => `The branch ${quotedName(name)}`;

/** Whether a branch has no commit, which git writes as zeros. */
export const isUnborn = (commit: string) => /^0+$/.test(commit);

/** Finds the other worktrees. Their paths come from the repository, so they are not trusted. */
function worktreesOf(
  { cwd, dir: own }: Pick<PlanPlace, "cwd" | "dir">,
  { prefix }: Pick<RepositoryFacts, "prefix">,
  worktrees: readonly Worktree[],
): Pick<Places, "folders" | "unread" | "leftOut"> {
  const leftOut: string[] = [];
  const unread: (Worktree & { readonly name: string })[] = [];
  const found = worktrees.flatMap((worktree): Folder[] => {
    const plan = resolve(worktree.path, prefix);
    if (plan === own) return [];
    const name = shownPath(cwd, worktree.path);
    try {
      const dir = Deno.realPathSync(plan);
      // With permission for the plan alone, its folder is as far as links are followed.
      const root = mayRead(worktree.path) ? Deno.realPathSync(worktree.path) : dir;
      // The plan may be a link out of the worktree, or back to this plan.
      return realPathOf(dir) === own || !isInside(root, dir) || !mayRead(dir)
        ? []
        : [{ ...worktree, dir, root, name }];
    } catch (error) {
      // Skip worktrees that were deleted or have no plan.
      if (!isRefusal(error)) return [];
      // A comma ends a path in Deno's flags.
      const granted = shownPath(cwd, plan.replace(/[^/\\]*,.*$/s, ""));
      const flag = word(`--allow-read=${granted}`);
      const how = mayRead(plan) ? "the system refuses" : `add ${flag}`;
      leftOut.push(
        `The worktree ${quotedName(name)}: not readable; only its commits were checked (${how})`,
      );
      unread.push({ ...worktree, name });
      return [];
    }
  });
  const rest = found.length - MOST_WORKTREES;
  if (rest > 0) leftOut.push(`${rest} more worktrees`);
  return { folders: found.slice(0, MOST_WORKTREES), unread, leftOut };
}

/** What of the places cannot be read now, in sentences; for reports, which do not need the rest. */
export async function unreadPlaces(
  place: Pick<PlanPlace, "cwd" | "dir" | "git">,
  { leftOut, branches, worktrees }: Refs,
): Promise<readonly string[]> {
  const repository = await readRepository(place.git);
  const { failed } = await readDifferences(
    place.git,
    branches.slice(0, MOST_BRANCHES).map(({ commit }) => [commit, repository.head]),
  );
  return [
    ...leftOut,
    ...worktreesOf(place, repository, worktrees).leftOut,
    ...branches.flatMap(({ name, commit }) => {
      const why = failed.get(commit);
      return why === undefined ? [] : [`${branchNamed(name)}: ${why}`];
    }),
  ];
}
