/**
 * Claims that a remote confirms: a ref per item, whose newest commit says who has it. Every change is
 * a child of the commit that was seen, so two claims cannot both succeed.
 */

import { textOf } from "../../../src/io/json.ts";
import { shortLine } from "../../../src/plain_text.ts";
import { readTips, swapRef, type Tip } from "./refs.ts";
import type { Scratch } from "./scratch.ts";

/** A claim on the remote; its texts are what others wrote. */
export interface RemoteClaim {
  readonly id: string;
  readonly owner: string;
  /** The random id of the clone that claimed it. */
  readonly clone: string;
  /** When it was claimed, ISO 8601 in UTC. */
  readonly since: string;
  /** The branch that it was claimed on; empty if unknown. */
  readonly branch: string;
  /** Whether this clone claimed it. */
  readonly isHere: boolean;
}

/** Everything that is known of one item on the remote: its ref and, unless it is free, its claim. */
export interface RemoteItem {
  readonly tip: Tip;
  readonly claim: RemoteClaim | undefined;
}

const FOLDER = "claims/";
const MAX_OWNER = 100;
const MAX_BRANCH = 200;
/** The last lists by scratch repository. */
const lists = new Map<string, { readonly at: number; readonly items: Map<string, RemoteItem> }>();

/** Ids that can be a part of a ref's name. */
const SAFE_ID = /^(?!.*(?:\.\.|\.lock$|\.$))[A-Za-z0-9][\w.-]{0,99}$/;

/** Whether an item with this id can be claimed on a remote. */
export function isClaimable(id: string): boolean {
  return SAFE_ID.test(id);
}

/** Whether a claim is an owner's own in this clone; the remote has the name plain and shortened. */
export function isOwnClaim({ isHere, owner }: RemoteClaim, assignee: string): boolean {
  return isHere && owner === shortLine(assignee, MAX_OWNER);
}

/**
 * Reads all claims by id, free items included. Throws like {@linkcode readTips}.
 *
 * @param age How old the last list may be to be used again, in milliseconds.
 */
export async function listClaims(scratch: Scratch, age = 0): Promise<Map<string, RemoteItem>> {
  const known = lists.get(scratch.path);
  if (known !== undefined && Date.now() - known.at < age) return known.items;
  const start = `${scratch.prefix}${FOLDER}`;
  const tips = await readTips(scratch, `${start}*`);
  const items = new Map(
    [...tips].map(([ref, tip]) => [ref.slice(start.length), tip] as const)
      .filter(([id]) => isClaimable(id))
      .map(([id, tip]) => [id, itemOf(scratch, id, tip)]),
  );
  lists.set(scratch.path, { at: Date.now(), items });
  return items;
}

/**
 * Claims an item.
 *
 * @param seen What was read of it; the claim fails if that has changed since.
 * @returns The claim; or who was faster.
 */
export async function pushClaim(
  scratch: Scratch,
  { id, owner, branch }: Pick<RemoteClaim, "id" | "owner" | "branch">,
  seen: RemoteItem | undefined,
): Promise<{ won: RemoteItem } | { lost: RemoteItem | undefined }> {
  const since = new Date().toISOString();
  const record = { state: "claimed", id, owner, clone: scratch.clone, since, branch };
  const ref = `${scratch.prefix}${FOLDER}${id}`;
  const swap = await change(scratch, { ref, expected: seen?.tip, record });
  if ("won" in swap) return { won: itemOf(scratch, id, swap.won) };
  return { lost: swap.lost && itemOf(scratch, id, swap.lost) };
}

/**
 * Undoes a push of this clone: the item is as it was before, claimed or free. Returns `undefined` if
 * somebody else has changed it since.
 */
export async function undoClaim(
  scratch: Scratch,
  pushed: RemoteItem,
  before: RemoteItem | undefined,
): Promise<RemoteItem | undefined> {
  if (before?.claim === undefined) return await freeClaim(scratch, pushed);
  const { id } = before.claim;
  const { tip: expected } = pushed;
  const swap = await change(scratch, { ref: expected.ref, expected, record: before.tip.record });
  return "won" in swap ? itemOf(scratch, id, swap.won) : undefined;
}

/** Frees an item that still has the given claim; `undefined` if somebody else changed it. */
export async function freeClaim(
  scratch: Scratch,
  { tip }: RemoteItem,
): Promise<RemoteItem | undefined> {
  const record = { ...tip.record, state: "free", since: new Date().toISOString() };
  const swap = await change(scratch, { ref: tip.ref, expected: tip, record });
  return "won" in swap ? { tip: swap.won, claim: undefined } : undefined;
}

/** Changes a claim, so that the last list no longer holds. */
const change: typeof swapRef = async (scratch, swap) => {
  try {
    return await swapRef(scratch, swap);
  } finally {
    lists.delete(scratch.path);
  }
};

function itemOf(scratch: Scratch, id: string, tip: Tip): RemoteItem {
  const { record } = tip;
  const owner = shortLine(textOf(record["owner"]) ?? "", MAX_OWNER);
  const since = new Date(textOf(record["since"]) ?? NaN);
  if (record["state"] !== "claimed" || owner === "") return { tip, claim: undefined };
  const clone = shortLine(textOf(record["clone"]) ?? "", 40);
  return {
    tip,
    claim: {
      id,
      owner,
      clone,
      since: Number.isNaN(since.getTime()) ? "" : since.toISOString(),
      branch: shortLine(textOf(record["branch"]) ?? "", MAX_BRANCH),
      isHere: clone === scratch.clone,
    },
  };
}
