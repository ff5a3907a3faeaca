/** The answers of `plan_claim`, and what it has to know before. */

import * as z from "zod";
import { RefraktError } from "../../../src/errors.ts";
import { offeredRow, readyRow } from "../queries/offers.ts";
import { entityNamed, pathOf, type PlanView } from "../queries/access.ts";
import type { Taken } from "../queries/elsewhere.ts";
import { readTaken, type Scope, whyNotOffered } from "../queries/availability.ts";
import { openCount } from "../queries/progress.ts";
import { idAndStatus, waitsFor } from "../queries/waits.ts";
import { type Claiming, claimNext, claimOne, ownerOf } from "../write/claim_item.ts";
import { namedEntity, offeredItem, uncheckedPlaces } from "./fields.ts";

/** How many skipped items a note lists. */
const MAX_NAMED = 10;

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

type Answer = z.infer<typeof claimOutput>;

export async function nextAnswer(
  claiming: Claiming,
  scope: Scope,
  { taken }: Taken,
): Promise<Answer> {
  const { claimed, available, plan, skipped } = await claimNext(claiming, scope, taken);
  const note = skipped.length === 0
    ? undefined
    : `Skipped: ${skipped.slice(0, MAX_NAMED).join("; ")}`;
  const withheld = available.withheld.length;
  if (claimed !== undefined) {
    const { item } = claimed;
    return { items: [{ ...offeredRow(claimed.plan, item), status: item.status }], withheld, note };
  }
  const why = whyNotOffered(plan, available) || "nothing is ready or waits to become so";
  return { items: [], withheld, note: note ?? `Nothing is offered: ${why}` };
}

/** An item that the caller has named: without what the file said before. */
export async function oneAnswer(claiming: Claiming, id: string, others: Taken): Promise<Answer> {
  const { before, isOwn, plan, now } = await claimOne(claiming, id, others);
  const item = entityNamed(now, before.id);
  const blockers = waitsFor(plan, before).map(idAndStatus).join(", ");
  const place = others.taken.get(before.id);
  const changed = others.changed?.(before.id);
  const notes = [
    blockers && `It waits for ${blockers}`,
    place && `Elsewhere it is ${place}`,
    changed && `Not here yet: ${changed}; plan_get reads it with at`,
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
}

/** What others have taken up, and where. */
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
