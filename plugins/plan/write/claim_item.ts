/**
 * Takes items and gives them back: in the file under the plan's lock, and before that on the remote,
 * if there is one, without the lock, because other calls would wait for the network.
 */

import { quoted, quotedName, word, wordOrText } from "../../../src/plain_text.ts";
import { RefraktError } from "../../../src/errors.ts";
import { noteStep, type UndoStep } from "../../../src/io/journal.ts";
import { validationError } from "../entity/values.ts";
import { type Entity, ownerOf } from "../entity/entity.ts";
import { entityNamed, openPlan, type PlanView } from "../queries/access.ts";
import { CLAIMED, isReady, isTask, readyStatus } from "../entity/lifecycle.ts";
import { branchOf } from "../git/refs.ts";
import {
  freeClaim,
  isClaimable,
  isOwnClaim,
  pushClaim,
  type RemoteSide,
  takenError,
} from "../remote/claims.ts";
import { type PlanPlace, withPlanLock } from "../store/place.ts";
import { editEntities } from "./edit_entities.ts";
import { addNote } from "./edits/notes.ts";

/** Who claims, and where. */
export interface Claiming extends PlanPlace {
  readonly assignee: string;
  readonly takeOver: string | undefined;
  readonly note: string | undefined;
  readonly remote: RemoteSide | undefined;
}

/**
 * Returns an item to its ready status, and frees it on the remote.
 *
 * @throws {RefraktError} `CONFLICT` with the owner, `REMOTE_UNREACHABLE` or `REMOTE_DENIED`; nothing
 * is written then.
 */
export function releaseOne(claiming: Claiming, id: string): Promise<Entity> {
  const { remote, assignee } = claiming;
  return lockedUnlessRemote(claiming, async (plan) => {
    const item = taskNamed(plan, id);
    if (item.status !== CLAIMED || ownerOf(item) !== assignee) throw claimConflict(item, assignee);
    const remoteItem = remote?.items.get(item.id);
    const isOwn = remoteItem?.claim !== undefined && isOwnClaim(remoteItem.claim, assignee);
    const { undo } = isOwn ? await freeClaim(remote!.scratch, item.id, remoteItem) : {};
    const attributes = { status: readyStatus(item.type), assignee: "" };
    await change(claiming, item, attributes, "released", undo);
    return entityNamed(await openPlan(claiming), id);
  });
}

/** Reads the plan, and works under its lock. With a remote, only the writes take the lock. */
export function lockedUnlessRemote<Value>(
  claiming: Claiming,
  work: (plan: PlanView) => Promise<Value>,
) {
  const run = async () => await work(await openPlan(claiming));
  return claiming.remote === undefined ? withPlanLock(claiming, run) : run();
}

/**
 * Claims an item as it was read; returns the plan with it. Throws like {@linkcode releaseOne}.
 */
export async function claimItem(claiming: Claiming, item: Entity): Promise<PlanView> {
  const { assignee, takeOver } = claiming;
  const undo = await claimOnRemote(claiming, item.id);
  if (item.status !== CLAIMED || ownerOf(item) !== assignee) {
    const action = takeOver === undefined ? "claimed" : `taken over from ${quoted(takeOver)}`;
    await change(claiming, item, { status: CLAIMED, assignee }, action, undo);
  }
  return await openPlan(claiming);
}

/** Pushes the claim, if there is a remote; returns the step that sets it back. */
async function claimOnRemote({ remote, assignee, takeOver, dir }: Claiming, id: string) {
  if (remote === undefined) return undefined;
  if (!isClaimable(id)) {
    const message = `This id cannot be claimed on a remote: ${word(id)}`;
    const hint = "Claim it with localOnly: true, or give it an id such as WORK-12.";
    throw validationError(message, hint);
  }
  const { scratch, items } = remote;
  const branch = branchOf(dir) ?? "";
  let seen = items.get(id);
  for (let tries = 1; tries <= 2; tries++) {
    const claim = seen?.claim;
    // An own claim is renewed: it was pushed before a crash, or the owner goes on.
    const isFree = claim === undefined || isOwnClaim(claim, assignee) || claim.owner === takeOver;
    if (!isFree) throw takenError(claim);
    const push = await pushClaim(scratch, { id, owner: assignee, branch }, seen);
    if (push.undo !== undefined) return push.undo;
    // It was freed or taken in between.
    seen = push.faster;
    if (seen?.claim !== undefined) throw takenError(seen.claim);
  }
  throw new RefraktError("CONFLICT", `The claim of ${word(id)} keeps changing on the remote`, {
    hint: "Nothing was written. Call again.",
  });
}

/** Changes an item unless its status or assignee has changed since this call read it. */
async function change(
  claiming: Claiming,
  item: Entity,
  attributes: Record<string, string>,
  action: string,
  undo: UndoStep | undefined,
): Promise<void> {
  const { note, assignee, remote } = claiming;
  const edits = note === undefined ? [] : [addNote(`${action}: ${note}`, assignee)];
  const condition = { status: item.status, assignee: ownerOf(item) };
  const changes = [{ id: item.id, attributes, edits, condition }];
  const write = () => editEntities(claiming, () => changes);
  try {
    await (remote === undefined ? write() : withPlanLock(claiming, write));
    if (undo) noteStep(undo);
  } catch (error) {
    await undo?.(claiming.signal).catch(() => {});
    throw error;
  }
}

export function taskNamed(plan: PlanView, id: string): Entity {
  const item = entityNamed(plan, id);
  if (isTask(item)) return item;
  const hint = "Claim a work item or a bug; change others with plan_update.";
  throw validationError(`A ${item.type} cannot be claimed: ${word(id)}`, hint);
}

/**
 * The error for an item that cannot be claimed as it stands in the plan.
 *
 * @param elsewhere What it is on another branch.
 */
export function claimConflict(item: Entity, expected?: string, elsewhere?: string): RefraktError {
  const owner = ownerOf(item);
  const who = owner === "" ? "nobody" : quoted(owner);
  const wanted = (expected === undefined ? "" : `, not ${quoted(expected)}`) +
    (elsewhere === undefined ? "" : `; it is ${elsewhere}`);
  return new RefraktError(
    "CONFLICT",
    `${word(item.id)} is ${wordOrText(item.status)}, assigned to ${who}${wanted}`,
    {
      hint: conflictHint(item, expected !== undefined, elsewhere !== undefined),
      data: { current: { status: item.status, assignee: owner } },
    },
  );
}

function conflictHint(item: Entity, isExpected: boolean, isElsewhere: boolean): string {
  const owner = ownerOf(item);
  if (isExpected && owner !== "") return `If it is yours, pass assignee: ${quotedName(owner)}.`;
  if (item.status === CLAIMED && owner !== "") {
    return `Claim another item, or pass takeOver: ${quotedName(owner)}, if they have stopped.`;
  }
  if (isElsewhere) {
    return "Nothing was written. takeOver names who has it there; without takeOver, it is claimed here.";
  }
  if (item.status === CLAIMED || isReady(item.type, item.status)) {
    return "Nothing was written. Read it again with plan_get.";
  }
  return `Only ${readyStatus(item.type)} or in-progress items can be claimed.`;
}
