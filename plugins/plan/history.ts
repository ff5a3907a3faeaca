/**
 * The history of a plan from git. It is cached with the checked-out commit; later calls read only
 * newer commits.
 *
 * @module
 */

import { type FileLife, FileLives, type Snapshot, snapshotOf } from "./file_lives.ts";
import {
  isAncestor,
  readBlobs,
  readCommits,
  readRepository,
  type RepositoryFacts,
} from "./git_log.ts";
import { byCommit, eventOf, type HistoryEvent, inPlan } from "./history_events.ts";
import { giveBackMemory } from "./store/heap.ts";

/** From this many versions on, the garbage is worth collecting. */
const MANY_VERSIONS = 500;

/** An event whose file may still be renamed. */
interface Told {
  readonly event: HistoryEvent;
  readonly life?: FileLife;
}

export class PlanHistory {
  readonly #dir: string;
  #facts: RepositoryFacts | undefined;
  #lives = new FileLives();
  /** Oldest first. */
  #told: Told[] = [];
  #running: Promise<void> = Promise.resolve();

  /**
   * @param dir The plan's directory, absolute. Git runs in it, so that a plan that is its own
   * repository, a submodule or a worktree has its own history.
   */
  constructor(dir: string) {
    this.#dir = dir;
  }

  /**
   * Returns the events, newest first, and warnings about gaps.
   *
   * @param file The file of one entity; the whole plan by default.
   */
  async read(
    signal: AbortSignal,
    file?: string,
  ): Promise<{ events: readonly HistoryEvent[]; warnings: string[] }> {
    signal.throwIfAborted();
    // Overlapping calls wait for each other.
    this.#running = this.#running.catch(() => {}).then(() => this.#refresh());
    await this.#running;
    signal.throwIfAborted();
    const all = this.#told.map(({ event }) => event).reverse();
    // Commits are in commit order, but the dates shown are author dates.
    const events = file === undefined
      ? all.map((event) => ({ event, at: Date.parse(event.date) })).sort((a, b) => b.at - a.at)
        .map(({ event }) => event)
      : all.filter((event) => event.file === file);
    const warnings = [
      ...(events.length === 0
        ? ["Git has no commits for this; what is not committed has no history"]
        : []),
      ...(this.#facts?.shallow
        ? ["The clone is shallow: older events are missing, and the oldest may not be the first"]
        : []),
    ];
    return { events, warnings };
  }

  async #refresh(): Promise<void> {
    const facts = await readRepository(this.#dir);
    const known = this.#facts;
    const isSamePlace = known?.prefix === facts.prefix && known.shallow === facts.shallow;
    if (isSamePlace && known.head === facts.head) return;
    const continues = isSamePlace && await isAncestor(this.#dir, known.head, facts.head);
    this.#facts = undefined;
    if (!continues) {
      this.#lives = new FileLives();
      this.#told = [];
    }
    await this.#tell(continues ? `${known.head}..${facts.head}` : facts.head, facts.prefix);
    for (const { event, life } of this.#told) {
      if (life !== undefined) event.file = inPlan(facts.prefix, life.path);
    }
    this.#facts = facts;
  }

  /** Reads commits and adds their events. */
  async #tell(revision: string, prefix: string): Promise<void> {
    const commits = await readCommits(this.#dir, revision);
    const blobs = commits.flatMap(({ changes }) =>
      changes.flatMap(({ path, before, after }) =>
        path.endsWith(".md") ? [...before, ...(after === undefined ? [] : [after])] : []
      )
    );
    const snapshots = new Map<string, Snapshot | null>();
    await readBlobs(this.#dir, blobs, (hash, text) => snapshots.set(hash, snapshotOf(text)));
    for (const commit of commits.reverse()) {
      const changes = this.#lives.follow(commit, (blob) => snapshots.get(blob) ?? null);
      // Keeps git's order within a commit when read newest first.
      for (const change of changes.toReversed()) {
        this.#told.push({ event: eventOf(commit, change, prefix), life: change.life });
      }
      // A merge without changes of its own.
      if (commit.isMerge && changes.length === 0) {
        this.#told.push({ event: { kind: "merge", ...byCommit(commit) } });
      }
    }
    if (snapshots.size > MANY_VERSIONS) await giveBackMemory();
  }
}
