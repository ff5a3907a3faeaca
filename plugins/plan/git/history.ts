/**
 * The history of a plan from git. It is cached with the checked-out commit; later calls read only
 * newer commits.
 */

import { RenameTracker, type Snapshot, snapshotOf, type TrackedFile } from "./renames.ts";
import {
  type Commit,
  type GitPlace,
  isAncestor,
  readBlobs,
  readCommits,
  readRepository,
  type RepositoryFacts,
} from "./log.ts";
import { eventOf, type HistoryEvent, inPlan } from "./events.ts";
import { SharedWork } from "../../../src/io/shared_work.ts";
import { giveBackMemory } from "../../../src/io/heap.ts";

/** From this many versions on, the garbage is worth collecting. */
const MANY_VERSIONS = 500;

/** The hash of the empty blob, in both formats. */
const EMPTY = /^(?:e69de29bb2d1|473a0f4c3be8)/;

/** An event whose file may still be renamed. */
interface RecordedEvent {
  readonly event: HistoryEvent;
  readonly file?: TrackedFile;
}

export class PlanHistory {
  readonly #dir: string;
  #facts: RepositoryFacts | undefined;
  #renames = new RenameTracker();
  /** Oldest first. */
  #events: RecordedEvent[] = [];
  #commits = new Set<string>();
  #leftOut: readonly string[] = [];
  /** How many versions of files git does not have, or are too large. */
  #unread = 0;
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
   * Returns the events, newest first, warnings about gaps, and the hashes of all commits that change
   * a file of the plan, also of one without an entity.
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
    // Commits are in commit order, but the dates shown are author dates.
    const events = file === undefined
      ? all.map((event) => ({ event, at: Date.parse(event.date) })).sort((a, b) => b.at - a.at)
        .map(({ event }) => event)
      // On macOS, git composes the accents that the disk may keep apart.
      : all.filter((event) => event.file?.normalize() === file.normalize());
    const warnings = [
      ...(events.length === 0
        ? ["Git has no commits for this; uncommitted changes have no history"]
        : []),
      ...(this.#facts?.shallow
        ? [
          "The clone is shallow: older events are missing, and the oldest one shown may not be the first",
        ]
        : []),
      ...this.#leftOut,
      ...(this.#unread > 0
        ? [`${this.#unread} versions of files are missing in the clone, or too large: run git fsck`]
        : []),
    ];
    return { events, warnings, commits: this.#commits };
  }

  async #refresh(place: GitPlace): Promise<void> {
    const facts = await readRepository(place);
    const known = this.#facts;
    const isSamePlace = known?.prefix === facts.prefix && known.shallow === facts.shallow;
    if (isSamePlace && known.head === facts.head) return;
    const continues = isSamePlace && await isAncestor(place, known.head, facts.head);
    const newer = continues ? await readCommits(place, facts.head, known.head) : undefined;
    const found = newer ?? (await readCommits(place, facts.head))!;
    this.#facts = undefined;
    if (newer === undefined) {
      this.#renames = new RenameTracker();
      this.#events = [];
      this.#commits = new Set();
      this.#leftOut = [];
      this.#unread = 0;
    }
    this.#leftOut = [...this.#leftOut, ...found.leftOut];
    await this.#record(place, found.commits, facts.prefix);
    for (const { event, file } of this.#events) {
      if (file !== undefined) event.file = inPlan(facts.prefix, file.path);
    }
    this.#facts = facts;
  }

  /** Reads the versions of files in commits, and adds their events. */
  async #record(place: GitPlace, commits: readonly Commit[], prefix: string): Promise<void> {
    const blobs = commits.flatMap(({ changes }) =>
      changes.flatMap(({ path, before, after }) =>
        path.endsWith(".md") ? [...before, ...(after === undefined ? [] : [after])] : []
      )
    );
    const snapshots = new Map<string, Snapshot | null>();
    await readBlobs(place, blobs, (hash, text) => {
      if (text === "" && !EMPTY.test(hash)) this.#unread++;
      snapshots.set(hash, snapshotOf(text));
    });
    for (const commit of commits.toReversed()) {
      this.#commits.add(commit.hash);
      const changes = this.#renames.follow(commit, (blob) => snapshots.get(blob) ?? null);
      // Keeps git's order within a commit when read newest first.
      for (const change of changes.toReversed()) {
        this.#events.push({ event: eventOf(commit, change, prefix), file: change.file });
      }
    }
    if (snapshots.size > MANY_VERSIONS) await giveBackMemory();
  }
}
