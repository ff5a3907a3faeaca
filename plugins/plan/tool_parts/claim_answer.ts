/** Claims the next item, or a given one, for `plan_claim`. */

import * as z from "zod";
import { RefraktError } from "../../../src/errors.ts";
import { quoted, word } from "../../../src/plain_text.ts";
import { CLAIMED, isReady } from "../entity/lifecycle.ts";
import { offeredRow, readyRow } from "../queries/offers.ts";
import { entityNamed, pathOf, type PlanView } from "../queries/access.ts";
import {
  readAvailability,
  readTaken,
  type Scope,
  type Taken,
  whyNotOffered,
} from "../queries/availability.ts";
import { openCount } from "../queries/progress.ts";
import { idAndStatus, waitsFor } from "../queries/waits.ts";
import { takenError } from "../remote/claims.ts";
import {
  claimConflict,
  type Claiming,
  claimItem,
  lockedUnlessRemote,
  taskNamed,
} from "../write/claim_item.ts";
import { namedEntity, offeredItem, uncheckedPlaces } from "./fields.ts";
import { ownerOf } from "../entity/entity.ts";

/** How many skipped items a note lists. */
const MAX_NAMED = 10;
/** Among how many free items a call chooses that was too late for the first one. */
const NEAREST = 8;

export const claimOutput = z.object({
  items: z.array(offeredItem.extend({
    openCriteria: z.int().optional(),
    newestNote: z.string().optional(),
  })),
  assignee: z.string().optional(),
  withheld: z.int().optional(),
  released: z.object(namedEntity).optional(),
  note: z.string().optional(),
  unchecked: uncheckedPlaces(),
  remote: z.enum(["confirmed", "unconfirmed"]).optional(),
});

export type ClaimAnswer = z.infer<typeof claimOutput>;

/**
 * Claims the first item that nobody else has.
 *
 * @param taken What others have taken up, and where.
 */
export function claimNext(
  claiming: Claiming,
  scope: Scope,
  { taken }: Taken,
): Promise<ClaimAnswer> {
  const { assignee, remote } = claiming;
  return lockedUnlessRemote(claiming, async (plan) => {
    // Items that others have taken are named with the skipped ones.
    const available = await readAvailability(plan, scope, { taken: new Map(), unchecked: [] });
    const withheld = available.withheld.length;
    const skipped = new Set<string>();
    const note = () => {
      const names = [...skipped].slice(0, MAX_NAMED);
      return names.length === 0 ? undefined : `Skipped: ${names.join("; ")}`;
    };
    for (const { id, conflict } of available.withheld) {
      const { length } = plan.allOf(id);
      if (length > 1) skipped.add(`${word(id)} (${length} files have this id)`);
      else if (conflict !== undefined) skipped.add(`${word(id)} (conflict markers)`);
    }
    const free = available.offered.filter((item) => {
      const owner = ownerOf(item);
      const isReserved = owner !== "" && owner !== assignee;
      const reason = isReserved ? `reserved for ${quoted(owner)}` : taken.get(item.id);
      if (reason !== undefined) skipped.add(`${word(item.id)} (${reason})`);
      return reason === undefined;
    });
    for (let at = 0; free.length > 0;) {
      const before = free.splice(at, 1)[0]!;
      try {
        const now = await claimItem(claiming, before);
        const item = entityNamed(now, before.id);
        return {
          items: [{ ...offeredRow(now, item), status: item.status }],
          withheld,
          note: note(),
        };
      } catch (error) {
        // Somebody was faster: try another one, not the one that all others try, too.
        if (!(error instanceof RefraktError) || error.code !== "CONFLICT") throw error;
        skipped.add(`${word(before.id)} (taken meanwhile)`);
        at = remote === undefined ? 0 : Math.floor(Math.random() * Math.min(NEAREST, free.length));
      }
    }
    const why = whyNotOffered(plan, available) || "nothing is ready or waits to become so";
    return { items: [], withheld, note: note() ?? `Nothing is offered: ${why}` };
  });
}

/**
 * Claims an item that the caller has named, or has already: the answer is without what the file said
 * before. Throws like {@linkcode releaseOne}.
 */
export function claimOne(
  claiming: Claiming,
  id: string,
  { taken, owners, changed }: Taken,
): Promise<ClaimAnswer> {
  const { assignee, takeOver, remote } = claiming;
  return lockedUnlessRemote(claiming, async (plan) => {
    const before = taskNamed(plan, id);
    const owner = ownerOf(before);
    const isOwn = before.status === CLAIMED && owner === assignee;
    // The owner on the remote counts, if there is one; without one here, that of another branch.
    const claim = remote?.items.get(before.id)?.claim;
    const place = taken.get(before.id);
    if (
      takeOver !== undefined && takeOver !== (claim?.owner ?? (owner || owners?.get(before.id)))
    ) {
      throw claim === undefined ? claimConflict(before, takeOver, place) : takenError(claim);
    }
    const isFree = isReady(before.type, before.status) || before.status === CLAIMED;
    if (!isFree || owner !== "" && owner !== assignee && takeOver === undefined) {
      throw claimConflict(before);
    }
    const now = isOwn && remote === undefined ? plan : await claimItem(claiming, before);
    const item = entityNamed(now, before.id);
    const blockers = waitsFor(plan, before).map(idAndStatus).join(", ");
    const change = changed?.(before.id);
    const notes = [
      blockers && `It waits for ${blockers}`,
      place && `Elsewhere it is ${place}`,
      change && `Not here yet: ${change}; plan_get reads it with at`,
    ];
    return {
      items: [{
        ...readyRow(item),
        status: item.status,
        attributes: { assignee: ownerOf(item) },
        openCriteria: openCount(item) || undefined,
        newestNote: item.note,
        path: pathOf(now, item),
      }],
      note: isOwn ? undefined : notes.filter(Boolean).join(". ") || undefined,
    };
  });
}

/** Reads the items that others have taken up, with their places. */
export async function takenByOthers(
  plan: PlanView,
  assignee: string,
  { localOnly, anyway }: { localOnly?: boolean | undefined; anyway?: boolean | undefined },
): Promise<Taken> {
  const { context } = plan;
  const local = { ...context, project: { ...context.project, remote: undefined } };
  const taken = await readTaken({ ...plan, context: localOnly ? local : context }, assignee);
  if (taken.failed === undefined || anyway === true) return taken;
  const { message, hint } = taken.failed;
  const problem = `What others have taken up is unknown: ${message}`;
  throw new RefraktError("UNKNOWN_ELSEWHERE", problem, {
    hint: `Nothing was written. ${hint ?? ""} anyway: true claims without knowing.`,
  });
}
