/** What has happened to entities since a time, by commit and in files that are not committed. */

import { join } from "node:path";
import { countAndLimit, quoted } from "../../../src/plain_text.ts";
import { statIfExists } from "../../../src/io/files.ts";
import type { GitPlace } from "../../../src/io/git_ask.ts";
import { readBlobs } from "../../../src/io/git_objects.ts";
import { shortList } from "../../../src/plugin/counted.ts";
import { type Turn, turnTaker } from "../../../src/io/turns.ts";
import { changesOf, describeEvent, eventOf, type HistoryEvent, inPlan } from "../git/events.ts";
import { type Commit, readCommits } from "../git/log.ts";
import { readRefs } from "../git/refs.ts";
import { type FileVersions, RenameTracker } from "../git/renames.ts";
import { zonedDate } from "../entity/durations.ts";
import { diff } from "../entity/diff.ts";
import { type Version, versionOf } from "../entity/version.ts";
import { lineChanges } from "../entity/line_diff.ts";
import { plainOf } from "../entity/document.ts";
import type { PlanPlace } from "../store/place.ts";
import { changesIn, type Folder, readRefFacts, worktreesOf } from "./places.ts";
import {
  ANY_TIME,
  isSince,
  isTime,
  rangeOf,
  type TimeBound,
  timeOf,
  type TimeRange,
} from "./times.ts";

/** How many other branches are read, and how many of their commits. */
const [MOST_BRANCHES, MOST_COMMITS] = [20, 1000];

/** A change of one file. */
export interface AuthoredChange extends FileVersions {
  readonly event: HistoryEvent;
  /** The author of the commit; of what is not committed, the assignee, if there is one. */
  readonly by: string;
  /** The branch or worktree; without one, it is a change of this folder. */
  readonly place?: string | undefined;
  readonly isCommitted: boolean;
}

/** The texts of blobs; a blob that git lacks has an empty text. */
type Texts = Map<string, string>;

/** Reads those that are missing. */
async function addTexts(git: GitPlace, texts: Texts, blobs: Iterable<string | undefined>) {
  const missing = [...blobs].filter((blob) => blob !== undefined && !texts.has(blob)) as string[];
  await readBlobs(git, missing, (blob, text) => texts.set(blob, text));
}

/** The changes of a range. */
export interface Changes {
  /** Oldest first. */
  readonly changes: readonly AuthoredChange[];
  readonly texts: ReadonlyMap<string, string>;
  /** What could not be read, in sentences. */
  readonly warnings: string[];
}

/** Which changes are asked for. */
export interface ChangesAsked extends TimeRange {
  /** An author or assignee, in any case. */
  readonly by?: string | undefined;
  /** Also what is not committed. */
  readonly workingTree?: boolean | undefined;
  /** Also other branches and worktrees. */
  readonly elsewhere?: boolean | undefined;
}

export async function readChanges(plan: PlanPlace, asked: ChangesAsked): Promise<Changes> {
  const { recorded, warnings: gaps, events } = await plan.history();
  const isIn = await rangeOf(plan, asked, events[0]?.date);
  const warnings = [...gaps];
  const texts: Texts = new Map();
  const changes = recorded.filter(({ event, to, from }) =>
    isIn(event) && (to ?? from) !== undefined
  ).map(({ event, from, to }): AuthoredChange => ({
    event,
    from,
    to,
    by: event.author,
    isCommitted: true,
  }));
  if (asked.workingTree === true) {
    // What is not committed is newer than any commit.
    const isNew = asked.since === undefined || isTime(asked.since) ? isIn : () => true;
    const open = await openChanges(plan, warnings, texts, asked.elsewhere === true);
    changes.push(...open.filter(({ event }) => isNew(event)));
    if (asked.elsewhere === true) {
      const since = asked.since === undefined
        ? ANY_TIME
        : await timeOf(asked.since, "since", plan.git);
      changes.unshift(...await branchChanges(plan, since, warnings));
    }
  }
  const by = asked.by?.toLowerCase();
  const wanted = changes.filter((change) => by === undefined || change.by.toLowerCase() === by);
  if (by !== undefined && wanted.length === 0 && changes.length > 0) {
    const names = [...new Set(changes.map((change) => change.by || "nobody"))].sort();
    const more = asked.workingTree === true ? "" : "; workingTree: true adds other branches";
    warnings.push(
      `No changes by ${quoted(asked.by!)}; others are by ${shortList(names.map(quoted), 8)}${more}`,
    );
  }
  await addTexts(plan.git, texts, wanted.flatMap(({ from, to }) => [from, to]));
  return { changes: wanted, texts, warnings: [...new Set(warnings)] };
}

/** Changes that are not committed, here and in other worktrees. */
async function openChanges(
  plan: PlanPlace,
  warnings: string[],
  texts: Texts,
  isElsewhere: boolean,
): Promise<AuthoredChange[]> {
  const refs = await readRefs(plan.git);
  const facts = await readRefFacts(plan.git, refs);
  const { head, prefix } = facts;
  const worktrees = worktreesOf(plan, prefix, refs.worktrees);
  warnings.push(...refs.leftOut, ...facts.leftOut, ...worktrees.leftOut);
  const here = { dir: plan.dir, root: plan.cwd, path: plan.cwd, name: "", branch: undefined };
  const turn = turnTaker(plan.signal);
  const open: AuthoredChange[] = [];
  const folders: Folder[] = [{ ...here, commit: head }, ...isElsewhere ? worktrees.folders : []];
  for (const { name, ...folder } of folders) {
    const named = { ...folder, name: name || "here" };
    const differing = await changesIn(plan.git, facts, named, folder.commit, warnings);
    await addTexts(plan.git, texts, differing.flatMap(({ before }) => before));
    for (const { after, text } of differing) if (after !== undefined) texts.set(after, text!);
    const plain = (blob = "") => plainOf(texts.get(blob) ?? "");
    // Line ends alone are no change.
    const changes = differing.filter(({ before: [before], after }) =>
      after === undefined || plain(before) !== plain(after)
    );
    const place = name === "" ? undefined : `worktree ${name}`;
    // As a commit that nobody has made yet.
    const commit = { hash: "", date: "", author: "", message: "", changes };
    for (const { event, from, to } of await eventsOf(commit, prefix, texts, turn)) {
      const changedAt = statIfExists(join(folder.dir, event.file!))?.mtime ?? new Date();
      const date = zonedDate(changedAt.getTime());
      const by = versionIn(texts, to ?? from)?.attributes["assignee"] ?? "";
      open.push({ event: { ...event, date }, from, to, by, place, isCommitted: false });
    }
    await turn();
  }
  return open;
}

function versionIn(texts: Changes["texts"], blob = ""): Version | null {
  return versionOf(texts.get(blob) ?? "");
}

/** The commits of other branches since a time, each once; a few git calls read them all. */
async function branchChanges(
  plan: PlanPlace,
  since: TimeBound,
  warnings: string[],
): Promise<AuthoredChange[]> {
  const { git } = plan;
  const refs = await readRefs(git);
  const facts = await readRefFacts(git, refs);
  const { head, prefix, ahead } = facts;
  const newer = refs.branches.filter(({ commit, date }) =>
    ahead?.has(commit) === true && isSince(date, since)
  );
  if (newer.length > MOST_BRANCHES) {
    const branches = countAndLimit(newer.length, "branches", MOST_BRANCHES);
    warnings.push(`Older branches were not read: there are ${branches}`);
  }
  const placeOf = new Map<string, string>();
  // The branch itself, and then what a remote has of it.
  const sorted = newer.slice(0, MOST_BRANCHES)
    .sort((a, b) => Number(a.isRemote) - Number(b.isRemote));
  for (const { name, commit } of sorted) {
    const reached = new Set([commit]);
    for (const hash of reached) {
      if (placeOf.has(hash) || placeOf.size >= MOST_COMMITS) continue;
      placeOf.set(hash, name);
      ahead?.get(hash)?.forEach((parent) => ahead.has(parent) && reached.add(parent));
    }
  }
  const tips = sorted.map(({ commit }) => commit);
  const { commits, leftOut } = await readCommits(git, tips, head, MOST_COMMITS);
  warnings.push(...facts.leftOut, ...leftOut);
  const plain = commits.filter(({ hash, date }) =>
    placeOf.has(hash) && ahead?.get(hash)?.length === 1 && isSince(date, since)
  );
  const texts: Texts = new Map();
  const files = plain.flatMap(({ changes }) => changes);
  await addTexts(git, texts, files.flatMap(({ before, after }) => [...before, after]));
  const turn = turnTaker(plan.signal);
  const changes: AuthoredChange[] = [];
  for (const commit of plain) {
    const place = placeOf.get(commit.hash);
    for (const change of await eventsOf(commit, prefix, texts, turn)) {
      changes.push({ ...change, by: commit.author, place, isCommitted: true });
    }
    await turn();
  }
  return changes.sort((a, b) => Date.parse(a.event.date) - Date.parse(b.event.date));
}

async function eventsOf(
  commit: Commit,
  prefix: string,
  texts: Changes["texts"],
  turn: Turn,
): Promise<(FileVersions & { event: HistoryEvent })[]> {
  const versions = new Map<string, Version | null>();
  const versionOfBlob = (blob: string) =>
    versions.getOrInsertComputed(blob, () => versionIn(texts, blob));
  const changes = await new RenameTracker().follow(commit, versionOfBlob, turn);
  return changes.map((change) => ({
    event: { ...eventOf(commit, change, prefix), file: inPlan(prefix, change.file.path) },
    from: change.from,
    to: change.to,
  }));
}

/** The title of an entity after a change, or before it was removed. */
export function titleOf({ from, to }: AuthoredChange, { texts }: Changes): string {
  return versionIn(texts, to ?? from)?.title ?? "";
}

/** Successive changes of a file: the version before the first one, and that after the last one. */
export type Run = FileVersions & { readonly changes: readonly AuthoredChange[] };

/** Joins changes of one file, oldest first, between which nobody else has changed it. */
export function runsOf(changes: readonly AuthoredChange[]): Run[] {
  const runs: { from: string | undefined; to: string | undefined; changes: AuthoredChange[] }[] =
    [];
  for (const change of changes) {
    const last = runs.at(-1);
    const isNext = last !== undefined && last.to === change.from &&
      last.changes[0]!.place === change.place;
    if (isNext) last.to = change.to;
    if (isNext) last.changes.push(change);
    else runs.push({ from: change.from, to: change.to, changes: [change] });
  }
  return runs.filter(({ from, to }) => from !== to);
}

/** Describes what changes of one file did together, such as `ready → done, 1 of 3 ticked, text +4 −1`. */
export function describeChanges(changes: readonly AuthoredChange[], { texts }: Changes): string {
  const parts = runsOf(changes).map((run) => describeRun(run, texts));
  return [...new Set(parts)].join("; ") || "nothing in the end";
}

function describeRun({ from, to, changes }: Run, texts: Changes["texts"]): string {
  const renamedFrom = changes.find(({ event }) => event.renamedFrom !== undefined)?.event
    .renamedFrom;
  const [before, after] = [from, to].map((blob) =>
    blob === undefined ? null : texts.get(blob) ?? ""
  );
  return describeTexts(before!, after!, renamedFrom);
}

/** Describes what differs between two texts of a file; `null` stands for no file. */
export function describeTexts(
  before: string | null,
  after: string | null,
  renamedFrom?: string,
): string {
  const versionBefore = before === null ? null : versionOf(before);
  const versionAfter = after === null ? null : versionOf(after);
  const version = versionAfter ?? versionBefore;
  if (version === null) return "text";
  // A file that has lost its entity is not removed.
  const compared = after === null ? undefined : version;
  const changes = changesOf(diff(versionBefore ?? undefined, compared));
  return describeEvent({ ...changes, ...renamedFrom === undefined ? {} : { renamedFrom } }, {
    criteria: version.criteria.length,
    text: before === null || after === null ? "" : textSize(plainOf(before), plainOf(after)),
  });
}

/** The lines of a text that are neither its tag nor a criterion. */
function proseOf(text: string): string[] {
  const body = text.replace(/^[^]*?%\}/, "");
  return body.split("\n").filter((line) => !/^\s*(?:[-*+] \[[ xX]\]|$)/.test(line));
}

function textSize(before: string, after: string): string {
  let [added, removed] = [0, 0];
  for (const change of lineChanges(proseOf(before), proseOf(after))) {
    added += change.added.length;
    removed += change.removed.length;
  }
  const parts = [added > 0 ? `+${added}` : "", removed > 0 ? `−${removed}` : ""].filter(Boolean);
  return parts.length === 0 ? "" : `text ${parts.join(" ")}`;
}
