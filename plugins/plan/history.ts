/**
 * What happened to an entity, or to the whole plan, by git. What was read is kept with the commit
 * that was checked out, and the next call reads only newer commits.
 *
 * @module
 */

import { posix } from "node:path";
import { giveBackMemory } from "./store/heap.ts";
import { readBlobs } from "./git_blobs.ts";
import { eventOf, type HistoryEvent, inPlan, mergeEvent } from "./history_events.ts";
import {
  type Commit,
  isAncestor,
  readCommits,
  readRemovals,
  readRepository,
  type RepositoryFacts,
} from "./git_log.ts";
import { type FileLife, FileLives, originsOf } from "./file_lives.ts";
import { type Snapshot, snapshotOf } from "./snapshot.ts";

/** Whose events are read. */
export interface HistoryOf {
  /** The plan's directory, absolute. */
  readonly dir: string;
  /** The file of the one entity that is asked for; the whole plan without it. */
  readonly file?: string | undefined;
  /** Ends the wait when it aborts. */
  readonly signal: AbortSignal;
}

/** How many moves of the whole plan are followed. */
const MOST_MOVES = 8;
/** So many versions of entities leave enough garbage to be worth giving back. */
const MANY_VERSIONS = 500;

/** Reads what happened, newest first, and what git cannot tell. */
export async function readEvents(
  { dir, file, signal }: HistoryOf,
  plugin: { historyOf(dir: string): PlanHistory },
): Promise<{ events: readonly HistoryEvent[]; warnings: string[] }> {
  signal.throwIfAborted();
  const history = plugin.historyOf(dir);
  await history.refresh();
  signal.throwIfAborted();
  const events = history.events(file);
  return { events, warnings: history.warnings(events.length === 0) };
}

/** An event whose file may still get another name. */
interface Told {
  readonly event: HistoryEvent & { file?: string };
  readonly life: FileLife | undefined;
}

/** The history of one plan. */
export class PlanHistory {
  readonly #dir: string;
  #facts: RepositoryFacts | undefined;
  #lives = new FileLives();
  /** Oldest first. */
  #told: Told[] = [];
  #missing = 0;
  #sorted: readonly HistoryEvent[] | undefined;
  #running: Promise<void> = Promise.resolve();

  /**
   * @param dir The plan's directory, absolute. Git runs in it, so that a plan that is a
   * repository of its own, a submodule or a worktree tells its own history.
   */
  constructor(dir: string) {
    this.#dir = dir;
  }

  /** Reads what is new. Calls that overlap wait for each other. */
  refresh(): Promise<void> {
    const running = this.#running.catch(() => {}).then(() => this.#read());
    this.#running = running;
    return running;
  }

  /** The events, newest first: of one file in the order of the commits, of all by their dates. */
  events(file: string | undefined): readonly HistoryEvent[] {
    if (file !== undefined) {
      return this.#told.filter(({ event }) => event.file === file).map(({ event }) => event)
        .reverse();
    }
    // Commits come in the order in which they were committed; the dates shown are the authors'.
    return this.#sorted ??= this.#told.toReversed()
      .map(({ event }) => ({ event, at: Date.parse(event.date) }))
      .sort((a, b) => b.at - a.at)
      .map(({ event }) => event);
  }

  /** What git cannot tell. */
  warnings(isEmpty: boolean): string[] {
    const warnings: string[] = [];
    if (isEmpty) {
      warnings.push("Git has no commits for this; what is not committed has no history");
    }
    if (this.#facts?.shallow === true) {
      warnings.push(
        "The clone is shallow: older events are missing, and the oldest shown may not be the first",
      );
    }
    if (this.#missing > 0) {
      warnings.push(
        `The clone is partial: ${this.#missing} older versions of files are not in it, and what ` +
          "changed in them is missing; git fetch --refetch --no-filter fetches them",
      );
    }
    return warnings;
  }

  async #read(): Promise<void> {
    const facts = await readRepository(this.#dir);
    const known = this.#facts;
    if (
      known !== undefined && known.head === facts.head && known.prefix === facts.prefix &&
      known.shallow === facts.shallow && this.#missing === 0
    ) return;
    const continues = known !== undefined && known.prefix === facts.prefix &&
      known.shallow === facts.shallow && this.#missing === 0 &&
      await isAncestor(this.#dir, known.head, facts.head);
    if (!continues) {
      this.#lives = new FileLives();
      this.#told = [];
      this.#missing = 0;
    }
    this.#facts = undefined;
    const revision = continues ? `${known.head}..${facts.head}` : facts.head;
    const versions = await this.#tell(revision, facts.prefix);
    for (const { event, life } of this.#told) {
      if (life !== undefined) event.file = inPlan(facts.prefix, life.path);
    }
    this.#facts = facts;
    this.#sorted = undefined;
    if (versions > MANY_VERSIONS) await giveBackMemory();
  }

  /** Reads commits, and tells what happened in them. Gives how many versions it has compared. */
  async #tell(revision: string, prefix: string): Promise<number> {
    const commits = await readCommits({ cwd: this.#dir, revision, path: "." });
    const snapshots = new Map<string, Snapshot | null | undefined>();
    await this.#load(commits, snapshots);
    let folder = prefix;
    let newest = commits;
    for (let moves = 0; moves < MOST_MOVES; moves++) {
      const moved = await this.#findMove(newest, folder, snapshots);
      if (moved === undefined) break;
      folder = moved.folder;
      const path = posix.relative(`/${prefix}`, `/${folder}`) || ".";
      const revision = `${moved.commit}^`;
      newest = (await readCommits({ cwd: this.#dir, revision, path }))
        .map((commit) => ({
          ...commit,
          // Where the plan has a part of the old folder, that part was told already.
          changes: commit.changes.filter((change) => !change.path.startsWith(prefix || "\0")),
        }));
      await this.#load(newest, snapshots);
      commits.push(...newest);
    }
    for (const commit of commits.toReversed()) {
      const changes = this.#lives.follow(commit, (blob) => snapshots.get(blob));
      // Within a commit the order stays git's own when it is read from the newest on.
      for (const change of changes.toReversed()) {
        const event = eventOf(commit, change, prefix);
        this.#told.push({ event, life: change.life });
      }
      if (commit.isMerge && changes.length === 0) {
        this.#told.push({ event: mergeEvent(commit), life: undefined });
      }
    }
    return snapshots.size;
  }

  /** Takes a small snapshot of each blob; the texts are let go. */
  async #load(
    commits: readonly Commit[],
    snapshots: Map<string, Snapshot | null | undefined>,
  ): Promise<void> {
    const wanted = commits.flatMap(({ changes }) =>
      changes.flatMap(({ path, before, after }) =>
        path.endsWith(".md") ? [...before, ...(after === undefined ? [] : [after])] : []
      )
    ).filter((blob) => !snapshots.has(blob));
    await readBlobs(this.#dir, wanted, (hash, text) => {
      if (text === undefined) this.#missing++;
      snapshots.set(hash, text === undefined ? undefined : snapshotOf(text));
    });
  }

  /**
   * The oldest commit that brought files from outside of the folder, and the folder that they
   * came from. The removals are added to the commit, so that the files are followed.
   */
  async #findMove(
    commits: readonly Commit[],
    folder: string,
    snapshots: Map<string, Snapshot | null | undefined>,
  ): Promise<{ commit: string; folder: string } | undefined> {
    const adding = commits.filter(({ changes }) => changes.some(({ kind }) => kind === "A"));
    if (adding.length === 0) return undefined;
    const removals = await readRemovals(this.#dir, adding.map(({ hash }) => hash));
    const outside = (hash: string) =>
      (removals.get(hash) ?? []).filter(({ path }) =>
        path.endsWith(".md") && (folder === "" ? false : !path.startsWith(folder))
      );
    await this.#load(
      adding.map((commit) => ({ ...commit, changes: outside(commit.hash) })),
      snapshots,
    );
    let found: { commit: string; folder: string } | undefined;
    for (const commit of adding) {
      const added = commit.changes.filter(({ kind }) => kind === "A");
      const origins = originsOf(added, outside(commit.hash), (blob) => snapshots.get(blob));
      for (const [change, origin] of origins) {
        commit.changes.push(origin);
        found = { commit: commit.hash, folder: folderBefore(change.path, origin.path) };
      }
    }
    return found;
  }
}

/** Where a plan was before a move: what is left of the old path without the end that both share. */
function folderBefore(path: string, oldPath: string): string {
  const [now, before] = [path.split("/"), oldPath.split("/")];
  while (before.length > 1 && now.at(-1) === before.at(-1)) {
    now.pop();
    before.pop();
  }
  const isWhole = before.length === oldPath.split("/").length;
  const folder = isWhole ? posix.dirname(oldPath) : before.join("/");
  return folder === "." ? "" : `${folder}/`;
}
