/** Facts from git about a plan: its events, and the commits that name its entities. */

import { type Entity, ownerOf } from "../entity/entity.ts";
import { CLAIMED } from "../entity/lifecycle.ts";
import { type HistoryEvent, valueFrom } from "../git/events.ts";
import { readMessages } from "../git/messages.ts";
import { readRepository, readTree } from "../git/log.ts";
import { readRefs } from "../git/refs.ts";
import { type PlanView, sourceText } from "./access.ts";
import { orOtherwise } from "../../../src/errors.ts";
import { durationText } from "../entity/durations.ts";
import { askScratch } from "../remote/scratch.ts";
import { QUICK_MS } from "../../../src/io/git.ts";
import { askGit, type GitPlace } from "../../../src/io/git_ask.ts";
import { blobHash } from "../../../src/io/git_objects.ts";

export type GitFacts = Awaited<ReturnType<typeof readGitFacts>>;

/** Reads facts from git; the same object while neither the plan nor the repository changes. */
export async function readGitFacts(plan: PlanView) {
  // The history comes first, because it remembers that git has failed.
  const { version, ...history } = await plan.history();
  const refs = await readRefs(plan.git);
  const key = ["facts of git", refs, plan.files, String(version)];
  return await plan.git.memo(key, async () => {
    const ids = new Set(plan.entities.map(({ id }) => id.toUpperCase()));
    const { head } = await readRepository(plan.git);
    const messages = await readMessages(plan.git, refs, head, ids);
    // Gaps in the history, in sentences.
    const warnings = [...new Set([...history.warnings, ...messages.leftOut])];
    return { ...history, warnings, messages, datesOf: dateFinder(history.events) };
  });
}

/** Finds the events of an entity's file, and their dates as git writes them. @param events Newest first. */
export function dateFinder(events: readonly HistoryEvent[]) {
  const byFile = Map.groupBy(events, ({ file }) => file);
  return ({ file, attributes }: Entity) => {
    const events = byFile.get(file) ?? [];
    // When an attribute got the value that it has; `undefined` if that is not committed.
    const setAt = (name: string) => {
      const last = events.find((event) => valueFrom(event, name) !== undefined);
      return last && valueFrom(last, name) === (attributes[name] ?? "") ? last.date : undefined;
    };
    return {
      events,
      setAt,
      // The dates of the first commit, and of the last one.
      created: events.at(-1)?.date,
      modified: events[0]?.date,
      // When its status first became in-progress.
      started: events.findLast((event) => valueFrom(event, "status") === CLAIMED)?.date,
      reached: setAt("status"),
    };
  };
}

export function hasClaim(item: Entity): boolean {
  return item.status === CLAIMED && ownerOf(item) !== "";
}

/** Reads who works on items since when; the note says why times may be wrong. */
export async function readClaims(plan: PlanView, items: readonly Entity[]) {
  const claimed = items.filter(({ status }) => status === CLAIMED);
  if (claimed.length === 0) return { claims: new Map<Entity, Claim>(), note: undefined };
  let note: string | undefined;
  const claimOf = await orOtherwise(plan.signal, () => committedClaims(plan), ({ message }) => {
    note = `Times come from file dates: ${message}`;
    return (item: Entity): Claim => (
      { owner: ownerOf(item), since: item.mtime, lastActivity: item.mtime }
    );
  });
  note ??= (await plan.history()).warnings.join("; ") || undefined;
  return { claims: new Map(claimed.map((item) => [item, claimOf(item)])), note };
}

/** Who has an item, since when, and the last activity, in milliseconds. */
export type Claim = ReturnType<Awaited<ReturnType<typeof committedClaims>>>;

/** Returns a function that finds a claim in commits, and in its file if that was changed since. */
async function committedClaims(plan: PlanView) {
  const { head, prefix } = await readRepository(plan.git);
  const [{ messages, datesOf }, committed] = await Promise.all([
    readGitFacts(plan),
    readTree(plan.git, head),
  ]);
  return (item: Entity) => {
    const { id, file, mtime } = item;
    const owner = ownerOf(item);
    const { events, setAt } = datesOf(item);
    const names = owner === "" ? ["status"] : ["status", "assignee"];
    const settings = names.flatMap((name) => setAt(name) ?? []).map((date) => Date.parse(date));
    const since = settings.length === names.length ? Math.max(...settings) : mtime;
    const dates = [...events.slice(0, 1), ...messages.naming.get(id.toUpperCase()) ?? []];
    const times = dates.map(({ date }) => Date.parse(date));
    // Not by git diff, which runs the filters that the repository's configuration names.
    const isModified = () =>
      committed.get(prefix + file) !== blobHash(sourceText(plan, item), head.length);
    if (events.length === 0 || isModified()) times.push(mtime);
    // Activity is a commit that changes the file or names the id, or an uncommitted change.
    return { owner, since, lastActivity: Math.max(since, ...times) };
  };
}

export function shownClaim({ owner, since, lastActivity }: Claim) {
  return {
    owner,
    since: new Date(since).toISOString(),
    lastActivity: new Date(lastActivity).toISOString(),
    idle: durationText(Date.now() - lastActivity),
  };
}

/** The user's name in git's settings: of the repository, else of the user; empty without one. */
export async function gitUser(place: GitPlace): Promise<string> {
  const name = await askGit(["config", "user.name"], place).catch(() => "");
  if (name.trim() !== "") return name.trim();
  const signal = place.signal ?? AbortSignal.timeout(QUICK_MS);
  return await askScratch(["config", "user.name"], { cwd: place.cwd, signal }).catch(() => "");
}
