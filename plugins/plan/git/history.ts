/**
 * The history of a plan from git. It is cached with the checked-out commit; later calls read only
 * newer commits.
 */

import { RenameTracker } from "./renames.ts";
import { type Version, versionOf } from "../entity/version.ts";
import { readHistory, type RecordedEvent, writeHistory } from "./kept_history.ts";
import {
  type Commit,
  isAncestor,
  readCommits,
  readRepository,
  type RepositoryFacts,
} from "./log.ts";
import type { GitPlace } from "../../../src/io/git_ask.ts";
import { checkObjects, readBlobs } from "../../../src/io/git_objects.ts";
import { shortList } from "../../../src/plugin/counted.ts";
import { SIZE_LIMITS } from "../../../src/io/read.ts";
import { turnTaker } from "../../../src/io/turns.ts";
import { eventOf, type HistoryEvent, inPlan } from "./events.ts";
import { SharedWork } from "../../../src/io/shared_work.ts";
import { type Kept, mayKeep, openKept } from "../../../src/io/kept.ts";

/** The most versions of files that are read, and the most bytes of all and of those at once. */
const [MOST_VERSIONS, MOST_BYTES, AT_ONCE] = [20_000, 64 * 1024 * 1024, 4 * 1024 * 1024];
const MOST =
  `at most ${SIZE_LIMITS.plan / 1024} kB each, and ${MOST_VERSIONS / 1000},000 versions ` +
  `with ${MOST_BYTES / 1024 / 1024} MB in all`;
/** The most events that are kept for the next start. */
const MOST_KEPT = 20_000;

/** How many commits with versions that are not read are named. */
const MOST_NAMED = 5;

/** After so many commits, the next start begins with them. */
const MANY_COMMITS = 50;

const isSame = (known: RepositoryFacts, facts: RepositoryFacts) =>
  known.prefix === facts.prefix && known.shallow === facts.shallow && known.ends === facts.ends &&
  known.mailmap === facts.mailmap;

export class PlanHistory {
  readonly #dir: string;
  #facts: RepositoryFacts | undefined;
  #renames = new RenameTracker();
  /** Oldest first. */
  #events: RecordedEvent[] = [];
  #commits = new Set<string>();
  #leftOut: readonly string[] = [];
  #version = 0;
  /** The versions of files that git does not have, or that are too large, with their commits. */
  #unread = new Map<string, string>();
  /** Whether reading anew would give the same: merges may change the order of older commits. */
  #isExact = true;
  /** What the start before left. */
  #kept: Promise<Kept | undefined> | undefined;
  readonly #work = new SharedWork<void>();
  #last: Promise<void> = Promise.resolve();

  /**
   * @param dir The plan's directory, absolute. Git runs in it, so that a plan that is its own
   * repository, a submodule or a worktree has its own history.
   */
  constructor(dir: string) {
    this.#dir = dir;
  }

  /**
   * Returns the events, the newest commit first, warnings about gaps, the hashes of all commits that
   * change a file of the plan, also of one without an entity, a number that differs when they have
   * changed, and all events with the blobs of their files, oldest first.
   *
   * @param file The file of one entity; the whole plan by default.
   */
  async read(
    signal: AbortSignal,
    file?: string,
  ): Promise<{
    events: readonly HistoryEvent[];
    warnings: string[];
    commits: ReadonlySet<string>;
    version: number;
    recorded: readonly RecordedEvent[];
  }> {
    signal.throwIfAborted();
    const refresh = () =>
      this.#work.run("", signal, (signal) => {
        // What was given up ends before the next begins.
        this.#last = this.#last.catch(() => {}).then(() =>
          this.#refresh({ cwd: this.#dir, signal })
        );
        return this.#last;
      });
    // What is running may have begun before the newest commit.
    if (this.#work.isRunning("")) await refresh();
    await refresh();
    signal.throwIfAborted();
    const all = this.#events.map(({ event }) => event).reverse();
    // On macOS, git composes the accents that the disk may keep apart.
    const events = file === undefined
      ? all
      : all.filter((event) => event.file?.normalize() === file.normalize());
    const warnings = [
      ...(events.length === 0 && this.#leftOut.length === 0
        ? ["Git has no commits for this; uncommitted changes have no history"]
        : []),
      ...(this.#facts?.shallow
        ? [
          "The clone is shallow: older events are missing, and the oldest one shown may not be the first",
        ]
        : []),
      ...this.#leftOut,
      ...(this.#unread.size > 0 ? [this.#unreadSentence()] : []),
    ];
    const [commits, version, recorded] = [this.#commits, this.#version, this.#events];
    return { events, warnings, commits, version, recorded };
  }

  async #refresh(place: GitPlace): Promise<void> {
    const facts = await readRepository(place);
    const isRestored = this.#facts === undefined && this.#kept === undefined &&
      await this.#restore(place, facts);
    const known = this.#facts;
    const isSamePlace = known !== undefined && isSame(known, facts);
    if (isSamePlace && known.head === facts.head) return;
    const continues = isSamePlace && await isAncestor(place, known.head, facts.head);
    let newer = continues ? await readCommits(place, facts.head, known.head) : undefined;
    if (isRestored && newer?.isLinear === false) newer = undefined;
    const found = newer ?? (await readCommits(place, facts.head))!;
    this.#facts = undefined;
    this.#version++;
    this.#isExact = newer === undefined || this.#isExact && newer.isLinear;
    if (newer === undefined) {
      this.#renames = new RenameTracker();
      this.#events = [];
      this.#commits = new Set();
      this.#leftOut = [];
      this.#unread = new Map();
    }
    this.#leftOut = [...this.#leftOut, ...found.leftOut];
    await this.#record(place, found.commits, facts.prefix);
    for (const { event, file } of this.#events) {
      if (file !== undefined) event.file = inPlan(facts.prefix, file.path);
    }
    this.#facts = facts;
    if (newer === undefined || newer.commits.length >= MANY_COMMITS) await this.#keep(facts);
  }

  /** Takes over what an earlier start read. */
  async #restore(place: GitPlace, facts: RepositoryFacts): Promise<boolean> {
    // Where a part is missing, or authors' names come from a file that cannot be read.
    const isWhole = !facts.shallow && facts.mailmap !== "" && mayKeep();
    this.#kept = isWhole ? openKept(place) : Promise.resolve(undefined);
    const found = readHistory(await (await this.#kept)?.get(this.#dir));
    if (found === undefined || !isSame(found.facts, facts)) return false;
    this.#renames.restore(found);
    this.#events = found.events;
    this.#commits = new Set(found.commits);
    this.#facts = found.facts;
    return true;
  }

  async #keep(facts: RepositoryFacts): Promise<void> {
    const kept = await this.#kept;
    if (this.#events.length > MOST_KEPT) return;
    if (!this.#isExact || this.#unread.size > 0 || this.#leftOut.length > 0 || facts.shallow) {
      return;
    }
    const commits = [...this.#commits];
    await kept?.put(
      this.#dir,
      writeHistory({ facts, commits, events: this.#events, ...this.#renames.files }),
    );
  }

  /** Reads the versions of files in commits, and adds their events: a few commits at a time. */
  async #record(place: GitPlace, commits: readonly Commit[], prefix: string): Promise<void> {
    const turn = turnTaker(place.signal ?? new AbortController().signal);
    const sizes = await this.#sizesOf(place, commits);
    const oldest = commits.toReversed();
    for (let at = 0; at < oldest.length;) {
      const blobs = new Set<string>();
      const start = at;
      for (let rest = AT_ONCE; at < oldest.length && rest > 0; at++) {
        for (const blob of blobsOf(oldest[at]!)) {
          const size = sizes.get(blob);
          if (size === undefined || blobs.has(blob)) continue;
          blobs.add(blob);
          rest -= size;
        }
      }
      const versions = new Map<string, Version | null>();
      await readBlobs(place, blobs, (hash, text) => versions.set(hash, versionOf(text)));
      for (const commit of oldest.slice(start, at)) {
        this.#commits.add(commit.hash);
        const changes = await this.#renames.follow(
          commit,
          (blob) => versions.get(blob) ?? null,
          turn,
        );
        // Keeps git's order within a commit when read newest first.
        for (const change of changes.toReversed()) {
          const { file, from, to } = change;
          // What has changed is not known.
          if (from !== undefined && this.#unread.has(from)) continue;
          this.#events.push({ event: eventOf(commit, change, prefix), file, from, to });
          await turn();
        }
        await turn();
      }
    }
  }

  /** The sizes of the versions that exist and are not too large together: the newest ones. */
  async #sizesOf(place: GitPlace, commits: readonly Commit[]): Promise<Map<string, number>> {
    const turn = turnTaker(place.signal ?? new AbortController().signal);
    const commitOf = new Map<string, string>();
    for (const commit of commits) {
      await turn();
      for (const blob of blobsOf(commit)) if (!commitOf.has(blob)) commitOf.set(blob, commit.hash);
      // The commit that has made a version comes after those that have changed it.
      for (const { after } of commit.changes) {
        if (after !== undefined && commitOf.has(after)) commitOf.set(after, commit.hash);
      }
    }
    const blobs = [...commitOf.keys()];
    const sizes = new Map<string, number>();
    let rest = MOST_BYTES;
    for (const [index, facts] of (await checkObjects(place, blobs)).entries()) {
      const blob = blobs[index]!;
      const size = facts?.size ?? Infinity;
      if (size > SIZE_LIMITS.plan || size > rest || sizes.size >= MOST_VERSIONS) {
        this.#unread.set(blob, commitOf.get(blob)!);
        continue;
      }
      rest -= size;
      sizes.set(blob, size);
    }
    return sizes;
  }

  #unreadSentence(): string {
    const hashes = [...new Set(this.#unread.values())].map((hash) => hash.slice(0, 7));
    return `${this.#unread.size} versions of files were not read, in ` +
      `${shortList(hashes, MOST_NAMED)}: the clone lacks them, or they are too large (${MOST})`;
  }
}

/** The versions of entities that a commit has changed. */
function blobsOf({ changes, sides = [] }: Commit): string[] {
  return [changes, ...sides].flat().flatMap(({ path, before, after }) =>
    path.endsWith(".md") ? [...before, ...(after === undefined ? [] : [after])] : []
  );
}
