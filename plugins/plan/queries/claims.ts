/** Claims of items: the owner, when it was claimed, and the last activity. */

import { orOtherwise } from "../../../src/errors.ts";
import type { Entity } from "../entity/entity.ts";
import { durationText } from "../entity/durations.ts";
import { blobHash } from "../../../src/io/git_objects.ts";
import { readRepository, readTree } from "../git/log.ts";
import { valueFrom } from "../git/events.ts";
import { type PlanView, sourceText } from "./access.ts";
import { readGitFacts } from "./git_facts.ts";
import { CLAIMED } from "../entity/lifecycle.ts";

export interface Claim {
  readonly owner: string;
  /** When it was claimed, in milliseconds. */
  readonly since: number;
  /**
   * The last commit that changes its file or names its id, or the last uncommitted change, in
   * milliseconds.
   */
  readonly lastActivity: number;
}

export function hasClaim({ status, attributes }: Entity): boolean {
  return status === CLAIMED && (attributes["assignee"] ?? "") !== "";
}

/**
 * Reads who works on items since when; the owner is empty if nobody is assigned.
 *
 * @returns The claims, and a note if git cannot be read and times come from files alone.
 */
export async function readClaims(
  plan: PlanView,
  items: readonly Entity[],
): Promise<{ claims: Map<Entity, Claim>; note: string | undefined }> {
  const claimed = items.filter(({ status }) => status === CLAIMED);
  if (claimed.length === 0) return { claims: new Map(), note: undefined };
  let note: string | undefined;
  const claimOf = await orOtherwise(plan.signal, () => committedClaims(plan), ({ message }) => {
    note = `Times come from file dates: ${message}`;
    return claimOfFile;
  });
  return { claims: new Map(claimed.map((item) => [item, claimOf(item)])), note };
}

const ownerOf = ({ attributes }: Entity) => attributes["assignee"] ?? "";

function claimOfFile(item: Entity): Claim {
  return { owner: ownerOf(item), since: item.mtime, lastActivity: item.mtime };
}

/** Returns a function that finds a claim in commits, and in its file if that was changed since. */
async function committedClaims(plan: PlanView): Promise<(item: Entity) => Claim> {
  const { head, prefix } = await readRepository(plan.git);
  const [{ messages, eventsOf }, committed] = await Promise.all([
    readGitFacts(plan),
    readTree(plan.git, head),
  ]);
  return (item) => {
    const { id, file, attributes, mtime } = item;
    const owner = ownerOf(item);
    const events = eventsOf(item);
    // The newest event that sets a field has its committed value.
    const fields = owner === "" ? ["status"] : ["status", "assignee"];
    const settings = fields.flatMap((field) => {
      const event = events.find((event) => valueFrom(event, field) !== undefined);
      const isCommitted = event !== undefined && valueFrom(event, field) === attributes[field];
      return isCommitted ? Date.parse(event.date) : [];
    });
    const since = settings.length === fields.length ? Math.max(...settings) : mtime;
    const dates = [...events.slice(0, 1), ...messages.naming.get(id.toUpperCase()) ?? []];
    const times = dates.map(({ date }) => Date.parse(date));
    // Not by git diff, which runs the filters that the repository's configuration names.
    const isModified = () =>
      committed.get(prefix + file) !== blobHash(sourceText(plan, item), head.length);
    if (events.length === 0 || isModified()) times.push(mtime);
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
