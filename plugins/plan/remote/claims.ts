/**
 * What a remote confirms: claims of items and reserved ids, a ref each, whose newest commit says who
 * has it. Every change is a child of the commit that was seen, so two of them cannot both succeed.
 */

import { RefraktError } from "../../../src/errors.ts";
import { noteStep, type UndoStep } from "../../../src/io/journal.ts";
import { textOf } from "../../../src/io/json.ts";
import { shortLine, word } from "../../../src/plain_text.ts";
import type { CallContext } from "../../../src/plugin/context.ts";
import { readTips, swapRefs } from "./refs.ts";
import { openScratch, type Scratch, type Tip } from "./scratch.ts";

/** A claim on the remote; its texts are what others wrote. */
export interface RemoteClaim {
  readonly id: string;
  readonly owner: string;
  /** The random id of the clone that claimed it. */
  readonly clone: string;
  /** When it was claimed, ISO 8601 in UTC; empty if unknown. */
  readonly since: string;
  /** The branch that it was claimed on; empty if unknown. */
  readonly branch: string;
  /** Whether this clone claimed it. */
  readonly isHere: boolean;
}

/** One item on the remote: its ref and, unless it is free, its claim. */
export interface RemoteItem extends Tip {
  readonly claim: RemoteClaim | undefined;
}

/** The remote's side of a call. */
export interface RemoteSide {
  readonly scratch: Scratch;
  /** By id, free ones included. */
  readonly items: ReadonlyMap<string, RemoteItem>;
}

/** A call that may ask the remote. */
export interface RemoteCall {
  readonly context: Pick<CallContext, "project" | "signal">;
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

/** Opens the remote that the command line names, if any. Throws like {@linkcode openScratch}. */
export async function openRemote(
  { context: { project: { cwd, memo, remote }, signal } }: RemoteCall,
): Promise<Scratch | undefined> {
  if (remote === undefined) return undefined;
  const open = () => openScratch(remote, Deno.realPathSync(cwd), signal);
  return { ...await memo(["remote", JSON.stringify(remote)], open), signal };
}

/**
 * Reads the claims; `undefined` without a remote. Throws like {@linkcode readTips}.
 *
 * @param age How old the last list may be to be used again, in milliseconds.
 */
export async function remoteSide(call: RemoteCall, age = 0): Promise<RemoteSide | undefined> {
  const scratch = await openRemote(call);
  return scratch && { scratch, items: await listClaims(scratch, age) };
}

export async function listClaims(scratch: Scratch, age = 0): Promise<Map<string, RemoteItem>> {
  const { last } = scratch;
  if (Date.now() - last.at >= age) {
    Object.assign(last, { at: Date.now(), tips: await listTips(scratch, "claims") });
  }
  return new Map(
    [...last.tips].flatMap(([id, tip]) => isClaimable(id) ? [[id, itemOf(scratch, id, tip)]] : []),
  );
}

/** Reads the reserved ids. Throws like {@linkcode readTips}. */
export const listIds = (scratch: Scratch): Promise<Map<string, Tip>> => listTips(scratch, "ids");

/** Reads the refs of a folder by the names in it. */
async function listTips(scratch: Scratch, folder: string): Promise<Map<string, Tip>> {
  const start = `${scratch.remote.prefix}${folder}/`;
  const tips = await readTips(scratch, `${start}*`);
  return new Map([...tips].map(([ref, tip]) => [ref.slice(start.length), tip]));
}

function itemOf(scratch: Scratch, id: string, tip: Tip): RemoteItem {
  const { state, ...record } = tip.record;
  const textIn = (name: string, most: number) => shortLine(textOf(record[name]) ?? "", most);
  const owner = textIn("owner", MAX_OWNER);
  if (state !== "claimed" || owner === "") return { ...tip, claim: undefined };
  const clone = textIn("clone", 40);
  const time = new Date(textOf(record["since"]) ?? NaN);
  const since = Number.isNaN(time.getTime()) ? "" : time.toISOString();
  const branch = textIn("branch", MAX_BRANCH);
  return { ...tip, claim: { id, owner, clone, since, branch, isHere: clone === scratch.clone } };
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
  const ref = `${scratch.remote.prefix}claims/${id}`;
  const [swap] = await swapRefs(scratch, [{ ref, expected: seen, record }]);
  if ("lost" in swap!) return { lost: swap.lost && itemOf(scratch, id, swap.lost) };
  const now = itemOf(scratch, id, swap!.won);
  const earlier = seen?.claim === undefined ? freeRecord(now) : seen.record;
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

function freeRecord({ record }: RemoteItem): Tip["record"] {
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
    ref: `${scratch.remote.prefix}ids/${id}`,
    expected: undefined,
    record: { id, clone: scratch.clone, since },
  }));
  const swaps = await swapRefs(scratch, changes);
  return wanted.filter((_id, at) => "lost" in swaps[at]!);
}
