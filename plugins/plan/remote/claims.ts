/**
 * What a remote confirms: claims of items and reserved ids, a ref each, whose newest commit says who
 * has it. Every change is a child of the commit that was seen, so two of them cannot both succeed.
 */

import { RefraktError } from "../../../src/errors.ts";
import { noteStep, type UndoStep } from "../../../src/io/journal.ts";
import { textOf } from "../../../src/io/json.ts";
import { shortLine, word } from "../../../src/plain_text.ts";
import { readTips, swapRefs } from "./refs.ts";
import type { Scratch, Tip } from "./scratch.ts";

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

const MAX_OWNER = 100;
const MAX_BRANCH = 200;

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

/** Reads the refs of a folder by the names in it. Throws like {@linkcode readTips}. */
async function listTips(
  scratch: Scratch,
  folder: "claims" | "ids",
  age = 0,
): Promise<[string, Tip][]> {
  const start = `${scratch.prefix}${folder}/`;
  let list = scratch.lists.get(start);
  if (list === undefined || Date.now() - list.at >= age) {
    list = { at: Date.now(), tips: await readTips(scratch, `${start}*`) };
    scratch.lists.set(start, list);
  }
  return [...list.tips].map(([ref, tip]) => [ref.slice(start.length), tip]);
}

/**
 * Reads all claims by id, free items included. Throws like {@linkcode readTips}.
 *
 * @param age How old the last list may be to be used again, in milliseconds.
 */
export async function listClaims(scratch: Scratch, age = 0): Promise<Map<string, RemoteItem>> {
  const tips = await listTips(scratch, "claims", age);
  return new Map(
    tips.filter(([id]) => isClaimable(id)).map(([id, tip]) => [id, itemOf(scratch, id, tip)]),
  );
}

/**
 * Replaces what the remote says of an item.
 *
 * @param seen What was read of it; the change fails if that has changed since.
 * @returns The step that sets it back; or who was faster.
 */
async function replace(
  scratch: Scratch,
  id: string,
  seen: RemoteItem | undefined,
  record: Tip["record"],
): Promise<{ undo: UndoStep } | { lost: RemoteItem | undefined }> {
  const ref = `${scratch.prefix}claims/${id}`;
  const [swap] = await swapRefs(scratch, [{ ref, expected: seen?.tip, record }]);
  if ("lost" in swap!) return { lost: swap.lost && itemOf(scratch, id, swap.lost) };
  const now = itemOf(scratch, id, swap!.won);
  const earlier = seen?.claim === undefined ? freeRecord(now) : seen.tip.record;
  const undo: UndoStep = async (signal) => {
    const back = await replace({ ...scratch, signal }, id, now, earlier);
    if ("undo" in back) return noteStep(back.undo);
    throw new RefraktError("CONFLICT", `The claim of ${word(id)} was changed on the remote`, {
      hint: "Nothing was undone. plan_list { claimed: true } shows who has it.",
    });
  };
  return { undo };
}

/** Claims an item. */
export async function pushClaim(
  scratch: Scratch,
  { id, owner, branch }: Pick<RemoteClaim, "id" | "owner" | "branch">,
  seen: RemoteItem | undefined,
): ReturnType<typeof replace> {
  const since = new Date().toISOString();
  const record = { state: "claimed", id, owner, clone: scratch.clone, since, branch };
  return await replace(scratch, id, seen, record);
}

/** Frees an item that still has the given claim; `undefined` if somebody else changed it. */
export async function freeClaim(
  scratch: Scratch,
  id: string,
  claimed: RemoteItem,
): Promise<UndoStep | undefined> {
  const swap = await replace(scratch, id, claimed, freeRecord(claimed));
  return "undo" in swap ? swap.undo : undefined;
}

function freeRecord({ tip: { record } }: RemoteItem): Tip["record"] {
  return { ...record, state: "free", since: new Date().toISOString() };
}

/** Reads the reserved ids. Throws like {@linkcode readTips}. */
export async function listIds(scratch: Scratch): Promise<Map<string, Tip>> {
  return new Map(await listTips(scratch, "ids"));
}

/**
 * Reserves ids with one push, so that clones that have not seen each other create different ones.
 *
 * @returns Those that another clone has, because it was faster.
 */
export async function reserveIds(scratch: Scratch, ids: readonly string[]): Promise<string[]> {
  const wanted = ids.filter(isClaimable);
  const since = new Date().toISOString();
  const swaps = await swapRefs(
    scratch,
    wanted.map((id) => ({
      ref: `${scratch.prefix}ids/${id}`,
      expected: undefined,
      record: { id, clone: scratch.clone, since },
    })),
  );
  return wanted.filter((_id, at) => !("won" in swaps[at]!));
}

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
