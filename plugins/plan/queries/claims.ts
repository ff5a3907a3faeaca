/** Claims of items: the owner, when it was claimed, and the last activity. */

import * as z from "zod";
import { RefraktError } from "../../../src/errors.ts";
import type { Entity } from "../entity/entity.ts";
import { durationText } from "../entity/durations.ts";
import { blobHash } from "../../../src/io/blob_hash.ts";
import { readRepository, readTree } from "../git/log.ts";
import { type HistoryEvent, valueFrom } from "../git/events.ts";
import { type PlanView, sourceText } from "./access.ts";
import { readGitFacts } from "./git_facts.ts";
import { CLAIMED } from "../entity/lifecycle.ts";

export const claimRow = z.object({
  owner: z.string(),
  /** When it was claimed, ISO 8601. */
  since: z.string(),
  /**
   * The last commit that changes its file or names its id, or the last uncommitted change, ISO 8601.
   */
  lastActivity: z.string(),
  /** The time since then, such as `3d`. */
  idle: z.string(),
});

export interface Claim {
  readonly owner: string;
  /** In milliseconds. */
  readonly since: number;
  /** In milliseconds. */
  readonly lastActivity: number;
}

interface Known {
  eventsOf(item: Entity): readonly HistoryEvent[];
  namedAt(item: Entity): number[];
  isModified(item: Entity): boolean;
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
  let known: Known | undefined;
  let note: string | undefined;
  const claimed = items.filter(({ status }) => status === CLAIMED);
  if (claimed.length > 0) {
    try {
      known = await readKnown(plan);
    } catch (error) {
      if (!(error instanceof RefraktError) || plan.signal.aborted) throw error;
      note = `Times come from file dates: ${error.message}`;
    }
  }
  return { claims: new Map(claimed.map((item) => [item, claimOf(item, known)])), note };
}

function claimOf(item: Entity, known: Known | undefined): Claim {
  const { attributes, mtime } = item;
  const owner = attributes["assignee"] ?? "";
  const events = known?.eventsOf(item) ?? [];
  // The newest event that sets a field has its committed value.
  const fields = owner === "" ? ["status"] : ["status", "assignee"];
  const settings = fields.flatMap((field) => {
    const event = events.find((one) => valueFrom(one, field) !== undefined);
    return event !== undefined && valueFrom(event, field) === attributes[field]
      ? Date.parse(event.date)
      : [];
  });
  const since = settings.length === fields.length ? Math.max(...settings) : mtime;
  const times = events.slice(0, 1).map(({ date }) => Date.parse(date));
  if (known === undefined || events.length === 0 || known.isModified(item)) times.push(mtime);
  const lastActivity = Math.max(since, ...times, ...known?.namedAt(item) ?? []);
  return { owner, since, lastActivity };
}

async function readKnown(plan: PlanView): Promise<Known> {
  const { git } = plan;
  const { head, prefix } = await readRepository(git);
  const [{ messages, eventsOf }, committed] = await Promise.all([
    readGitFacts(plan),
    readTree(git, head),
  ]);
  return {
    eventsOf,
    namedAt: ({ id }) =>
      (messages.naming.get(id.toUpperCase()) ?? []).map(({ date }) => Date.parse(date)),
    // Not by git diff, which runs the filters that the repository's configuration names.
    isModified: (item) =>
      committed.get(`${prefix}${item.file}`) !==
        blobHash(sourceText(plan, item), head.length),
  };
}

export function shownClaim({ owner, since, lastActivity }: Claim): z.infer<typeof claimRow> {
  return {
    owner,
    since: new Date(since).toISOString(),
    lastActivity: new Date(lastActivity).toISOString(),
    idle: durationText(Date.now() - lastActivity),
  };
}
