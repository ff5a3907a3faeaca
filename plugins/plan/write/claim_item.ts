/** Claims and releases one item: in the file, and before that on the remote, if there is one. */

import { quoted, quotedName, word, wordOrText } from "../../../src/plain_text.ts";
import { RefraktError } from "../../../src/errors.ts";
import { noteStep, type UndoStep } from "../../../src/io/journal.ts";
import type { Item } from "../queries/access.ts";
import { CLAIMED, isReady, readyStatus } from "../queries/lifecycle.ts";
import {
  freeClaim,
  isClaimable,
  isOwnClaim,
  pushClaim,
  type RemoteItem,
  undoClaim,
} from "../remote/claims.ts";
import { takenError } from "../remote/mod.ts";
import type { Scratch } from "../remote/scratch.ts";
import type { PlanPlace } from "../store/place.ts";
import { editEntities } from "./edit_entity.ts";
import type { Edit } from "./edits.ts";

/** The remote's side of a call. */
export interface RemoteSide {
  readonly scratch: Scratch;
  /** What the remote had before the call, by id. */
  readonly items: ReadonlyMap<string, RemoteItem>;
  /** The checked-out branch; empty if unknown. */
  readonly branch: string;
}

/** Who claims, and where. The caller holds the plan's lock. */
export interface Claiming extends PlanPlace {
  readonly assignee: string;
  readonly takeOver: string | undefined;
  readonly note: string | undefined;
  readonly remote: RemoteSide | undefined;
}

export function ownerOf({ entity }: Item): string {
  return entity.attributes["assignee"] ?? "";
}

/**
 * Claims an item for the assignee.
 *
 * @throws {RefraktError} `CONFLICT` with the owner, `REMOTE_UNREACHABLE` or `REMOTE_DENIED`; nothing
 * is written then.
 */
export async function claimItem(claiming: Claiming, item: Item): Promise<void> {
  const { assignee, takeOver } = claiming;
  const pushed = await claimOnRemote(claiming, item.id);
  if (item.status === CLAIMED && ownerOf(item) === assignee) return;
  const what = takeOver === undefined ? "claimed" : `taken over from ${quoted(takeOver)}`;
  await change(claiming, item, { status: CLAIMED, assignee }, what, pushed);
}

/**
 * Returns an item to its ready status, and frees it on the remote.
 *
 * @throws {RefraktError} Like {@linkcode claimItem}.
 */
export async function releaseItem(claiming: Claiming, item: Item): Promise<void> {
  const { remote, assignee } = claiming;
  const known = remote?.items.get(item.id);
  const isOwn = known?.claim !== undefined && isOwnClaim(known.claim, assignee);
  const freed = isOwn ? await freeClaim(remote!.scratch, known) : undefined;
  const pushed = freed && { now: freed, before: known };
  const attributes = { status: readyStatus(item.type), assignee: "" };
  await change(claiming, item, attributes, "released", pushed);
}

/** What a call has pushed, and what was there before. */
interface Pushed {
  readonly now: RemoteItem;
  readonly before: RemoteItem | undefined;
}

/** Pushes the claim, if there is a remote. */
async function claimOnRemote(
  { remote, assignee, takeOver }: Claiming,
  id: string,
): Promise<Pushed | undefined> {
  if (remote === undefined) return undefined;
  if (!isClaimable(id)) {
    throw new RefraktError(
      "VALIDATION_ERROR",
      `This id cannot be claimed on a remote: ${word(id)}`,
      {
        hint: "Claim it with localOnly: true, or give it an id such as WORK-12.",
      },
    );
  }
  const { scratch, items, branch } = remote;
  let seen = items.get(id);
  for (let tries = 1; tries <= 2; tries++) {
    const claim = seen?.claim;
    // An own claim is renewed: it was pushed before a crash, or the owner goes on.
    const isFree = claim === undefined || isOwnClaim(claim, assignee) || claim.owner === takeOver;
    if (!isFree) throw takenError(claim);
    const push = await pushClaim(scratch, { id, owner: assignee, branch }, seen);
    if ("won" in push) return { now: push.won, before: seen };
    if (push.lost?.claim !== undefined) throw takenError(push.lost.claim);
    // It was freed in between.
    seen = push.lost;
  }
  throw new RefraktError("CONFLICT", `The claim of ${word(id)} keeps changing on the remote`, {
    hint: "Nothing was written. Call again.",
  });
}

/** Changes an item unless its status or assignee has changed since this call read it. */
async function change(
  claiming: Claiming,
  item: Item,
  attributes: Record<string, string>,
  what: string,
  pushed: Pushed | undefined,
): Promise<void> {
  const { note, assignee } = claiming;
  const edits: Edit[] = note === undefined
    ? []
    : [{ kind: "note", by: assignee, text: `${what}: ${note}` }];
  const condition = { status: item.status, assignee: ownerOf(item) };
  try {
    await editEntities(claiming, [item.id], { attributes, edits, condition });
    if (pushed) noteStep(undoStep(claiming.remote!.scratch, item.id, pushed));
  } catch (error) {
    if (pushed) await undoClaim(claiming.remote!.scratch, pushed.now, pushed.before);
    throw error;
  }
}

/** Restores the claim on the remote that a call has changed. */
export function undoStep(scratch: Scratch, id: string, { now, before }: Pushed): UndoStep {
  return async (signal) => {
    const back = await undoClaim({ ...scratch, signal }, now, before);
    if (back !== undefined) return noteStep(undoStep(scratch, id, { now: back, before: now }));
    throw new RefraktError("CONFLICT", `The claim of ${word(id)} was changed on the remote`, {
      hint: "Nothing was undone. plan_list { claimed: true } shows who has it.",
    });
  };
}

/**
 * The error for an item that cannot be claimed as it stands in the plan.
 *
 * @param elsewhere What it is on another branch.
 */
export function claimConflict(item: Item, expected?: string, elsewhere?: string): RefraktError {
  const owner = ownerOf(item);
  const who = owner === "" ? "nobody" : quoted(owner);
  const wanted = (expected === undefined ? "" : `, not ${quoted(expected)}`) +
    (elsewhere === undefined ? "" : `; it is ${elsewhere}`);
  return new RefraktError(
    "CONFLICT",
    `${word(item.id)} is ${wordOrText(item.status)}, assigned to ${who}${wanted}`,
    {
      hint: item.status === CLAIMED && owner !== ""
        ? `Claim another item, or pass takeOver: ${quotedName(owner)}, if they have stopped.`
        : elsewhere !== undefined
        ? "Nothing was written. takeOver names who has it there; without takeOver, it is claimed here."
        : item.status === CLAIMED || isReady(item.type, item.status)
        ? "Nothing was written. Read it again with plan_get."
        : `Only ${readyStatus(item.type)} or in-progress items can be claimed.`,
      data: { current: { status: item.status, assignee: owner } },
    },
  );
}
