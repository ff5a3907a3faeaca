/**
 * The history of a plan from git. It is cached with the checked-out commit; later calls read only
 * newer commits.
 */

import { type Files, type FileVersions, followRenames, noFiles } from "./renames.ts";
import { fieldOf } from "../../../src/io/json.ts";
import type { Version } from "../entity/version.ts";
import {
  type Commit,
  isAncestor,
  type PlanCommits,
  readCommits,
  readRepository,
  type RepositoryFacts,
} from "./log.ts";
import type { GitPlace } from "../../../src/io/git_ask.ts";
import { checkObjects, readBlobs } from "../../../src/io/git_objects.ts";
import { counted, shortList } from "../../../src/plugin/counted.ts";
import { SIZE_LIMITS } from "../../../src/io/read.ts";
import { SharedWork, turnTaker } from "../../../src/io/turns.ts";
import { NAMED_COMMITS } from "./commits.ts";
import { eventOf, type HistoryEvent, inPlan } from "./events.ts";
import type { Kept, OpenKept } from "../../../src/io/kept.ts";

/** The most versions of files that are read, the most bytes of all, and how many are kept at once. */
const [MOST_VERSIONS, MOST_BYTES, AT_ONCE] = [20_000, 64 * 1024 * 1024, 1000];
const MOST =
  `at most ${SIZE_LIMITS.plan / 1024} kB each, and ${MOST_VERSIONS / 1000},000 versions ` +
  `with ${MOST_BYTES / 1024 / 1024} MB in all`;
/** The most events that are stored for the next start. */
const MOST_EVENTS = 20_000;

/** After so many new commits, the state is stored again. */
const MANY_COMMITS = 50;

/** Goes up whenever the same commits give other events than before. */
const VERSION = 9;

/** An event whose file may still be renamed. */
interface RecordedEvent extends FileVersions {
  readonly event: HistoryEvent;
  /** The number of the file. */
  readonly file: number;
}

/** The state that later calls and the next start continue from. */
interface HistoryState extends Files {
  readonly version: number;
  readonly facts: RepositoryFacts;
  /** The commits that change a file of the plan. */
  readonly commits: readonly string[];
  /** Oldest first. */
  readonly events: readonly RecordedEvent[];
  /** The versions that git lacks or that are too large, each with a commit. */
  readonly unread: readonly (readonly [blob: string, commit: string])[];
  /** Sentences about commits that are left out. */
  readonly leftOut: readonly string[];
  /** Whether reading anew would give the same: merges may change the order of older commits. */
  readonly isExact: boolean;
}

function emptyHistory(facts: RepositoryFacts): HistoryState {
  const rest = { commits: [], events: [], unread: [], leftOut: [], isExact: true };
  return { version: VERSION, facts, ...noFiles(), ...rest };
}

/** Whether two states of a repository differ at most in the checked-out commit. */
function isSameRepository(before: RepositoryFacts, now: RepositoryFacts): boolean {
  return JSON.stringify({ ...before, head: "" }) === JSON.stringify({ ...now, head: "" });
}

/**
 * Returns a function that reads the history of a plan, or of one file.
 *
 * @param dir The plan's directory, absolute. Git runs in it, so that a plan that is its own
 * repository, a submodule or a worktree has its own history.
 * @param versionOf Parses a text.
 * @param afterBurst Is called when many commits were read.
 */
export function historyReader(
  dir: string,
  versionOf: (text: string) => Version | null,
  openKept: OpenKept | undefined,
  afterBurst: () => void,
) {
  let state: HistoryState | undefined;
  let version = 0;
  /** The state that an earlier start stored. */
  let kept: Promise<Kept | undefined> | undefined;
  const work = new SharedWork<void>();
  let last: Promise<void> = Promise.resolve();

  return async (signal: AbortSignal, file?: string) => {
    signal.throwIfAborted();
    const run = () =>
      work.run("", signal, (signal) => {
        // A cancelled refresh ends before the next one begins.
        return last = last.catch(() => {}).then(() => refresh({ cwd: dir, signal }));
      });
    // A running refresh may have begun before the newest commit.
    if (work.isRunning("")) await run();
    await run();
    signal.throwIfAborted();
    const { events: recorded, commits, unread, leftOut, facts } = state!;
    const all = recorded.map(({ event }) => event).reverse();
    // On macOS, git composes the accents that the disk may keep apart.
    const events = file === undefined
      ? all
      : all.filter((event) => event.file?.normalize() === file.normalize());
    const gaps = [...leftOut];
    if (facts.shallow) gaps.unshift(SHALLOW);
    if (unread.length > 0) gaps.push(unreadSentence(unread));
    const isEmpty = events.length === 0 && leftOut.length === 0;
    return {
      // The newest commit first.
      events,
      // Sentences about what is missing; `warnings` also says if there are no commits.
      gaps,
      warnings: isEmpty ? [NO_COMMITS, ...gaps] : gaps,
      // The hashes of all commits that change a file of the plan, also of one without an entity.
      commits: new Set(commits),
      // Differs when the others have changed.
      version,
      // All events with the blobs of their files, oldest first.
      recorded,
    };
  };

  async function refresh(place: GitPlace): Promise<void> {
    const facts = await readRepository(place);
    const isFirst = state === undefined && kept === undefined;
    const before = state ?? (isFirst ? await restored(place, facts) : undefined);
    const isSamePlace = before !== undefined && isSameRepository(before.facts, facts);
    if (isSamePlace && before.facts.head === facts.head) {
      state = before;
      return;
    }
    const continues = isSamePlace && await isAncestor(place, before.facts.head, facts.head);
    let newer = continues ? await readCommits(place, [facts.head], before.facts.head) : undefined;
    if (newer?.isWhole === false || isFirst && newer?.isLinear === false) newer = undefined;
    const base = newer === undefined ? emptyHistory(facts) : before!;
    const read = newer ?? await readCommits(place, [facts.head]);
    // Files of the last state are renamed: if this is given up, the next try begins anew.
    state = undefined;
    const now = await withCommits(place, { ...base, facts }, read, versionOf);
    version++;
    state = now;
    const isMuch = newer === undefined || newer.commits.length >= MANY_COMMITS;
    if (!isMuch) return;
    await keep(now);
    afterBurst();
  }

  /** Reads the state that an earlier start stored. */
  async function restored(place: GitPlace, facts: RepositoryFacts) {
    // Not of a shallow clone, nor if the stamp of `.mailmap`, which renames authors, is unknown.
    const isWhole = !facts.shallow && facts.mailmap !== "";
    kept = isWhole ? openKept?.(place) : undefined;
    const value = await (await kept)?.get(dir);
    if (fieldOf(value, "version") !== VERSION) return undefined;
    const past = value as HistoryState;
    return { ...past, living: new Map(past.living), dead: new Map(past.dead) };
  }

  async function keep(now: HistoryState): Promise<void> {
    const { events, isExact, unread, leftOut, facts, living, dead } = now;
    const isWhole = isExact && unread.length === 0 && leftOut.length === 0 && !facts.shallow;
    if (!isWhole || events.length > MOST_EVENTS) return;
    await (await kept)?.put(dir, { ...now, living: [...living], dead: [...dead] });
  }
}

const NO_COMMITS = "Git has no commits for this; uncommitted changes have no history";
const SHALLOW =
  "The clone is shallow: older events are missing, and the oldest one shown may not be the first";

/** Adds commits to a history: reads their versions of files, a few commits at a time. */
async function withCommits(
  place: GitPlace,
  state: HistoryState,
  { commits, leftOut, isLinear }: PlanCommits,
  versionOf: (text: string) => Version | null,
): Promise<HistoryState> {
  const { prefix } = state.facts;
  const isFirst = state.commits.length === 0;
  const turn = turnTaker(place.signal ?? new AbortController().signal);
  const unread = new Map(state.unread);
  const readable = await readableVersions(place, commits, unread);
  const oldest = commits.toReversed();
  const events: RecordedEvent[] = [];
  for (let at = 0; at < oldest.length;) {
    const blobs = new Set<string>();
    const start = at;
    for (; at < oldest.length && blobs.size < AT_ONCE; at++) {
      for (const blob of blobsOf(oldest[at]!)) if (readable.has(blob)) blobs.add(blob);
    }
    const versions = new Map<string, Version | null>();
    const versionOfBlob = (blob: string) => versions.get(blob) ?? null;
    await readBlobs(place, blobs, (hash, text) => versions.set(hash, versionOf(text)));
    for (const commit of oldest.slice(start, at)) {
      const changes = await followRenames(state, commit, versionOfBlob, turn);
      // Keeps git's order within a commit when read newest first.
      for (const change of changes.toReversed()) {
        const { file, from, to } = change;
        // Without the version before, the change is unknown.
        if (from !== undefined && unread.has(from)) continue;
        events.push({ event: eventOf(commit, change, prefix), file, from, to });
        await turn();
      }
      await turn();
    }
  }
  const all = [...state.events, ...events];
  const owners = ownersOf(state);
  for (const { event, file } of all) {
    const { path } = state.files[file]!;
    event.file = owners.get(path) === file ? inPlan(prefix, path) : undefined;
  }
  return {
    ...state,
    commits: [...state.commits, ...oldest.map(({ hash }) => hash)],
    events: all,
    unread: [...unread],
    leftOut: [...state.leftOut, ...leftOut],
    isExact: isFirst || state.isExact && isLinear,
  };
}

/** The files by their current paths; of several, the one that is there, or was there last. */
function ownersOf({ files, living }: Files): Map<string, number> {
  const owners = new Map(files.map(({ path }, file) => [path, file]));
  for (const [path, file] of living) if (files[file]!.path === path) owners.set(path, file);
  return owners;
}

/**
 * The versions that exist and are not too large together, the newest ones; the others are added to
 * those that are not read.
 */
async function readableVersions(
  place: GitPlace,
  commits: readonly Commit[],
  unread: Map<string, string>,
): Promise<Set<string>> {
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
  const readable = new Set<string>();
  let rest = MOST_BYTES;
  for (const [blob, facts] of await checkObjects(place, [...commitOf.keys()])) {
    const size = facts?.size ?? Infinity;
    if (size > SIZE_LIMITS.plan || size > rest || readable.size >= MOST_VERSIONS) {
      unread.set(blob, commitOf.get(blob)!);
      continue;
    }
    rest -= size;
    readable.add(blob);
  }
  return readable;
}

function unreadSentence(unread: HistoryState["unread"]): string {
  const hashes = [...new Set(unread.map(([, hash]) => hash.slice(0, 7)))];
  return `Not read: ${counted(unread.length, "version")} of files, in ` +
    `${shortList(hashes, NAMED_COMMITS)}, which the clone lacks, or too large (${MOST})`;
}

/** The versions of entities that a commit has changed. */
function blobsOf({ changes, sides = [] }: Commit): string[] {
  return [changes, ...sides].flat().flatMap(({ path, before, after }) =>
    path.endsWith(".md") ? before.concat(after ?? []) : []
  );
}
