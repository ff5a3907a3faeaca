/** The changes of entities since a time, in commits and in uncommitted files. */

import { join } from "node:path";
import { countAndLimit, quoted } from "../../../src/plain_text.ts";
import { statIfExists } from "../../../src/io/files.ts";
import type { GitPlace } from "../../../src/io/git_ask.ts";
import { readBlobs } from "../../../src/io/git_objects.ts";
import { shortList } from "../../../src/plugin/counted.ts";
import { type Turn, turnTaker } from "../../../src/io/turns.ts";
import { describeEvent, eventChanges, eventOf, type HistoryEvent, inPlan } from "../git/events.ts";
import { type Commit, readCommits } from "../git/log.ts";
import { readRefs } from "../git/refs.ts";
import { type FileVersions, followRenames, noFiles } from "../git/renames.ts";
import { zonedDate } from "../entity/durations.ts";
import { type Diff, diff, type Version, versionOf } from "../entity/version.ts";
import { lineChanges } from "../entity/line_diff.ts";
import { plainOf } from "../entity/document.ts";
import type { PlanPlace } from "../store/place.ts";
import { changesIn, type Places, readPlaces } from "./places.ts";
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
const [NEWER_BRANCHES, MOST_COMMITS] = [20, 1000];

/** A change of one file. */
interface FileEvent extends FileVersions {
  readonly event: HistoryEvent;
  /** The author of the commit; of an uncommitted change the assignee, if there is one. */
  readonly by: string;
  /** The branch or worktree; without one, it is a change of this folder. */
  readonly place?: string | undefined;
  readonly isCommitted: boolean;
}

/** A change of one file with its texts; `null` stands for no file. */
export interface AuthoredChange extends FileEvent {
  readonly before: string | null;
  readonly after: string | null;
}

/** The texts of blobs; a blob that git lacks has an empty text. */
type ChangeTexts = Map<string, string>;

/** Adds the texts of blobs that were not read yet. */
async function addTexts(git: GitPlace, texts: ChangeTexts, blobs: Iterable<string | undefined>) {
  const missing = [...blobs].filter((blob) => blob !== undefined && !texts.has(blob)) as string[];
  await readBlobs(git, missing, (blob, text) => texts.set(blob, text));
}

/** Which changes are asked for. */
export interface ChangesAsked extends TimeRange {
  /** An author or assignee, in any case. */
  readonly by?: string | undefined;
  /** Whether uncommitted changes and those of other branches and worktrees are included. */
  readonly workingTree?: boolean | undefined;
}

/** Reads changes, the oldest first, and says in sentences what could not be read. */
export async function readChanges(plan: PlanPlace, asked: ChangesAsked) {
  const { since, workingTree = false } = asked;
  const { recorded, warnings: gaps, events } = await plan.history();
  const isIn = await rangeOf(plan, asked, events[0]?.date);
  const warnings = [...gaps];
  const texts: ChangeTexts = new Map();
  let changes = recorded.filter(({ event, to, from }) => isIn(event) && (to ?? from) !== undefined)
    .map((each): FileEvent => ({ ...each, by: each.event.author, isCommitted: true }));
  if (workingTree) {
    const places = await readPlaces(plan, await readRefs(plan.git));
    warnings.push(...places.leftOut);
    const open = await openChanges(plan, places, warnings, texts);
    // Uncommitted changes are newer than any commit.
    const isNew = since === undefined || isTime(since) ? isIn : () => true;
    changes.push(...open.filter(({ event }) => isNew(event)));
    const from = since === undefined ? ANY_TIME : await timeOf(since, "since", plan.git);
    changes = [...await branchChanges(plan, places, from, warnings, texts), ...changes];
  }
  const by = asked.by?.toLowerCase();
  const wanted = changes.filter((change) => by === undefined || change.by.toLowerCase() === by);
  if (by !== undefined && wanted.length === 0 && changes.length > 0) {
    const names = [...new Set(changes.map((change) => change.by || "nobody"))].sort();
    const others = shortList(names.map(quoted), 8);
    const more = workingTree ? "" : "; workingTree: true adds other branches";
    warnings.push(`No changes by ${quoted(asked.by!)}; others are by ${others}${more}`);
  }
  await addTexts(plan.git, texts, wanted.flatMap(({ from, to }) => [from, to]));
  const textOf = (blob?: string) => blob === undefined ? null : texts.get(blob) ?? "";
  return {
    changes: wanted.map((change): AuthoredChange => (
      { ...change, before: textOf(change.from), after: textOf(change.to) }
    )),
    warnings: [...new Set(warnings)],
  };
}

/** Changes that are not committed, here and in other worktrees. */
async function openChanges(
  plan: PlanPlace,
  places: Places,
  warnings: string[],
  texts: ChangeTexts,
): Promise<FileEvent[]> {
  const { cwd, dir, git } = plan;
  const main = { dir, root: cwd, path: cwd, name: "here", branch: undefined, commit: places.head };
  const turn = turnTaker(plan.signal);
  const open: FileEvent[] = [];
  for (const folder of [main, ...places.folders]) {
    const differing = await changesIn(git, places, folder, folder.commit, warnings);
    await addTexts(git, texts, differing.flatMap(({ before }) => before));
    for (const { after, text } of differing) if (after !== undefined) texts.set(after, text!);
    const plain = (blob = "") => plainOf(texts.get(blob) ?? "");
    // Line ends alone are no change.
    const changes = differing.filter(({ before: [before], after }) =>
      after === undefined || plain(before) !== plain(after)
    );
    const place = folder === main ? undefined : `worktree ${folder.name}`;
    // As a commit that nobody has made yet.
    const commit = { hash: "", date: "", author: "", message: "", changes };
    for (const change of await eventsOf(commit, place, places.prefix, texts, turn)) {
      const { event, from, to } = change;
      const changedAt = statIfExists(join(folder.dir, event.file!))?.mtime ?? new Date();
      const by = versionOf(texts.get(to ?? from ?? "") ?? "")?.attributes["assignee"] ?? "";
      const date = zonedDate(changedAt.getTime());
      open.push({ ...change, event: { ...event, date }, by, isCommitted: false });
    }
  }
  return open;
}

/** The commits of other branches since a time, each once; a few git calls read them all. */
async function branchChanges(
  { git, signal }: PlanPlace,
  { head, prefix, ahead = new Map(), branches }: Places,
  since: TimeBound,
  warnings: string[],
  texts: ChangeTexts,
): Promise<FileEvent[]> {
  const newer = branches.filter(({ commit, date }) => ahead.has(commit) && isSince(date, since));
  if (newer.length > NEWER_BRANCHES) {
    const count = countAndLimit(newer.length, "branches", NEWER_BRANCHES);
    warnings.push(`Older branches were not read: there are ${count}`);
  }
  const placeOf = new Map<string, string>();
  // The branch itself, and then what a remote has of it.
  const sorted = newer.slice(0, NEWER_BRANCHES)
    .sort((a, b) => Number(a.isRemote) - Number(b.isRemote));
  for (const { name, commit } of sorted) {
    const reached = new Set([commit]);
    for (const hash of reached) {
      if (placeOf.has(hash) || placeOf.size >= MOST_COMMITS) continue;
      placeOf.set(hash, name);
      ahead.get(hash)?.forEach((parent) => ahead.has(parent) && reached.add(parent));
    }
  }
  const tips = sorted.map(({ commit }) => commit);
  const { commits, leftOut } = await readCommits(git, tips, head, MOST_COMMITS);
  warnings.push(...leftOut);
  const plain = commits.filter(({ hash, date }) =>
    placeOf.has(hash) && ahead.get(hash)?.length === 1 && isSince(date, since)
  );
  const files = plain.flatMap(({ changes }) => changes);
  await addTexts(git, texts, files.flatMap(({ before, after }) => [...before, after]));
  const turn = turnTaker(signal);
  const changes: FileEvent[] = [];
  for (const commit of plain) {
    changes.push(...await eventsOf(commit, placeOf.get(commit.hash), prefix, texts, turn));
    await turn();
  }
  return changes.sort((a, b) => Date.parse(a.event.date) - Date.parse(b.event.date));
}

/** The changes of a commit. */
async function eventsOf(
  commit: Commit,
  place: string | undefined,
  prefix: string,
  texts: ChangeTexts,
  turn: Turn,
): Promise<FileEvent[]> {
  const versions = new Map<string, Version | null>();
  const versionOfBlob = (blob: string) =>
    versions.getOrInsertComputed(blob, () => versionOf(texts.get(blob) ?? ""));
  const all = noFiles();
  const changes = await followRenames(all, commit, versionOfBlob, turn);
  return changes.map((change) => {
    const { path } = all.files[change.file]!;
    const event = { ...eventOf(commit, change, prefix), file: inPlan(prefix, path) };
    const { from, to } = change;
    return { event, from, to, by: commit.author, place, isCommitted: true };
  });
}

/** The title of an entity after a change, or before it was removed. */
export function titleOf({ before, after }: AuthoredChange): string {
  return versionOf(after ?? before ?? "")?.title ?? "";
}

/** Joins changes of one file, oldest first, between which nobody else has changed it. */
export function runsOf(changes: readonly AuthoredChange[]) {
  const runs: { first: AuthoredChange; last: AuthoredChange; renamedFrom: string | undefined }[] =
    [];
  for (const change of changes) {
    const { renamedFrom } = change.event;
    const run = runs.at(-1);
    if (run !== undefined && run.last.to === change.from && run.last.place === change.place) {
      run.last = change;
      run.renamedFrom ??= renamedFrom;
    } else runs.push({ first: change, last: change, renamedFrom });
  }
  return runs.filter(({ first, last }) => first.from !== last.to);
}

/** Describes the joint effect of changes of one file, such as `ready → done, 1 of 3 ticked, text +4 −1`. */
export function describeChanges(changes: readonly AuthoredChange[]): string {
  const parts = runsOf(changes).map(({ first, last, renamedFrom }) =>
    describeTexts(first.before, last.after, renamedFrom)
  );
  return [...new Set(parts)].join("; ") || "nothing in the end";
}

/** Describes the difference between two texts of a file; `null` stands for no file. */
export function describeTexts(before: string | null, after: string | null, renamedFrom?: string) {
  const versionBefore = before === null ? null : versionOf(before);
  const versionAfter = after === null ? null : versionOf(after);
  const version = versionAfter ?? versionBefore;
  if (!version) return "text";
  // A file that has lost its entity is not removed.
  const compared = after === null ? undefined : version;
  return describeDiff(diff(versionBefore ?? undefined, compared), before, after, renamedFrom);
}

/** Describes a difference whose texts are at hand. */
export function describeDiff(
  difference: Diff,
  before: string | null,
  after: string | null,
  renamedFrom?: string,
): string {
  const size = before === null || after === null ? "" : textSize(plainOf(before), plainOf(after));
  return describeEvent({ ...eventChanges(difference), renamedFrom }, size);
}

/** The lines of a text that are neither its tag nor a criterion. */
function proseOf(text: string): string[] {
  const body = text.replace(/^[^]*?%\}/, "");
  return body.split("\n").filter((line) => !/^\s*(?:[-*+] \[[ xX]\]|$)/.test(line));
}

function textSize(before: string, after: string): string {
  const changes = lineChanges(proseOf(before), proseOf(after));
  const added = changes.flatMap((change) => change.added).length;
  const removed = changes.flatMap((change) => change.removed).length;
  const parts = [added > 0 && `+${added}`, removed > 0 && `−${removed}`].filter(Boolean);
  return parts.length === 0 ? "" : `text ${parts.join(" ")}`;
}
