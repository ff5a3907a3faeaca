/**
 * What a remote confirms: claims of items and reserved ids, a ref each, whose newest commit says who
 * has it. Every change is a child of the commit that was seen, so two of them cannot both succeed.
 */

import { RefraktError } from "../../../src/errors.ts";
import { noteStep, type UndoStep } from "../../../src/io/journal.ts";
import { textOf } from "../../../src/io/json.ts";
import { quoted, quotedName, shortLine, word } from "../../../src/plain_text.ts";
import { durationText } from "../entity/durations.ts";
import type { Scratch, Tip } from "./git_remote.ts";
import { readTips, swapRefs } from "./refs.ts";

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

/** One item on the remote: its ref and, unless it is free, its claim. */
export interface RemoteItem {
  readonly tip: Tip;
  readonly claim: RemoteClaim | undefined;
}

const MAX_OWNER = 100;
const MAX_BRANCH = 200;

/** Ids that can be a part of a ref's name. */
const SAFE_ID = /^(?!.*(?:\.\.|\.lock$|\.$))[A-Za-z0-9][\w.-]{0,99}$/;

/** Whether an item with this id can be claimed on a remote. */
export const isClaimable = (id: string): boolean => SAFE_ID.test(id);

/** Whether a claim is an owner's own in this clone; the remote has the name plain and shortened. */
export function isOwnClaim({ isHere, owner }: RemoteClaim, assignee: string): boolean {
  return isHere && owner === shortLine(assignee, MAX_OWNER);
}

/** Reads the refs of a folder by the names in it. Throws like {@linkcode readTips}. */
async function listTips(
  scratch: Scratch,
  folder: "claims" | "ids",
  age = 0,
): Promise<Map<string, Tip>> {
  const start = `${scratch.prefix}${folder}/`;
  let list = scratch.lists.get(start);
  if (list === undefined || Date.now() - list.at >= age) {
    list = { at: Date.now(), tips: await readTips(scratch, `${start}*`) };
    scratch.lists.set(start, list);
  }
  return new Map([...list.tips].map(([ref, tip]) => [ref.slice(start.length), tip]));
}

/**
 * Reads all claims by id, free items included. Throws like {@linkcode readTips}.
 *
 * @param age How old the last list may be to be used again, in milliseconds.
 */
export async function listClaims(scratch: Scratch, age = 0): Promise<Map<string, RemoteItem>> {
  const tips = [...await listTips(scratch, "claims", age)].filter(([id]) => isClaimable(id));
  return new Map(tips.map(([id, tip]) => [id, itemOf(scratch, id, tip)]));
}

/** Reads the reserved ids. Throws like {@linkcode readTips}. */
export const listIds = (scratch: Scratch): Promise<Map<string, Tip>> => listTips(scratch, "ids");

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

/**
 * Reserves ids with one push, so that clones that have not seen each other create different ones.
 *
 * @returns Those that another clone has, because it was faster.
 */
export async function reserveIds(scratch: Scratch, ids: readonly string[]): Promise<string[]> {
  const wanted = ids.filter(isClaimable);
  const since = new Date().toISOString();
  const changes = wanted.map((id) => ({
    ref: `${scratch.prefix}ids/${id}`,
    expected: undefined,
    record: { id, clone: scratch.clone, since },
  }));
  const swaps = await swapRefs(scratch, changes);
  return wanted.filter((_id, at) => "lost" in swaps[at]!);
}

function itemOf(scratch: Scratch, id: string, tip: Tip): RemoteItem {
  const { state, ...record } = tip.record;
  const textIn = (name: string, most: number) => shortLine(textOf(record[name]) ?? "", most);
  const owner = textIn("owner", MAX_OWNER);
  if (state !== "claimed" || owner === "") return { tip, claim: undefined };
  const clone = textIn("clone", 40);
  const since = new Date(textOf(record["since"]) ?? NaN);
  const claim = {
    id,
    owner,
    clone,
    since: Number.isNaN(since.getTime()) ? "" : since.toISOString(),
    branch: textIn("branch", MAX_BRANCH),
    isHere: clone === scratch.clone,
  };
  return { tip, claim };
}

/** Formats a claim for answers. */
export function shownRemoteClaim({ owner, clone, since, branch }: RemoteClaim) {
  return {
    owner,
    clone,
    since: since || undefined,
    age: since === "" ? undefined : durationText(Date.now() - Date.parse(since)),
    branch: branch || undefined,
  };
}

/** A claim in words: `claimed by "ada" in clone 1f2e, 3h ago`. */
export function claimSentence(claim: RemoteClaim, where = ""): string {
  const { owner, clone, age } = shownRemoteClaim(claim);
  const since = age === undefined ? "" : `, ${age} ago`;
  return `claimed ${where}by ${quoted(owner)} in clone ${word(clone)}${since}`;
}

/**
 * The error for an item that somebody has.
 *
 * @param otherwise What else to do; by default for an item of another clone.
 */
export function takenError(
  claim: RemoteClaim,
  otherwise = "Take another item, or claim it with",
): RefraktError {
  const message = `${word(claim.id)} is ${claimSentence(claim, "on the remote ")}`;
  const takeOver = `takeOver: ${quotedName(claim.owner)}, if they have stopped`;
  return new RefraktError("CONFLICT", message, {
    hint: `Nothing was written. ${otherwise} ${takeOver}.`,
    data: { current: shownRemoteClaim(claim) },
  });
}
