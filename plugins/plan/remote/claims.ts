/**
 * What a remote confirms: claims of items and reserved ids, a ref each, whose newest commit says who
 * has it. Every change is a child of the commit that was seen, so two of them cannot both succeed.
 */

import { orElse, orOtherwise, RefraktError } from "../../../src/errors.ts";
import { noteStep, type UndoStep } from "../../../src/io/journal.ts";
import { textOf } from "../../../src/io/json.ts";
import { quoted, quotedName, shortLine, word } from "../../../src/plain_text.ts";
import type { CallContext } from "../../../src/plugin/context.ts";
import { durationText } from "../entity/durations.ts";
import { unlessFailed } from "../git/failures.ts";
import { readTips, swapRefs } from "./refs.ts";
import { openScratch, type Scratch, type Tip } from "./scratch.ts";

/** One item on the remote: its ref and, unless it is free, its claim. */
type RemoteItem = Readonly<ReturnType<typeof itemOf>>;

/** A claim on the remote; its texts are what others wrote. */
type RemoteClaim = Readonly<NonNullable<RemoteItem["claim"]>>;

export type RemoteSide = NonNullable<Awaited<ReturnType<typeof remoteSide>>>;

/** A call that may ask the remote. */
export interface RemoteCall {
  readonly context: Pick<CallContext, "project" | "signal">;
}

const MAX_OWNER = 100;

/** Whether an item can be claimed on a remote: its id can be a part of a ref's name. */
export function isClaimable(id: string): boolean {
  return /^(?!.*(?:\.\.|\.lock$|\.$))[A-Za-z0-9][\w.-]{0,99}$/.test(id);
}

/** Whether a claim is an owner's own in this clone; the remote has the name plain and shortened. */
export function isOwnClaim({ isHere, owner }: RemoteClaim, assignee: string): boolean {
  return isHere && owner === shortLine(assignee, MAX_OWNER);
}

/** Opens the remote that the command line names, if any. Throws like {@linkcode openScratch}. */
export async function openRemote({ context: { project, signal } }: RemoteCall) {
  const { cwd, memo, remote } = project;
  if (remote === undefined) return undefined;
  const open = () => openScratch(remote, Deno.realPathSync(cwd), signal);
  return { ...await memo(["remote", JSON.stringify(remote)], open), signal };
}

/**
 * Reads the items by id, free ones included; `undefined` without a remote. Throws like {@linkcode readTips}.
 *
 * @param age How old the last list may be to be used again, in milliseconds.
 */
export async function remoteSide(call: RemoteCall, age = 0) {
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

/** Reads the refs of a folder by the ids in their names. Throws like {@linkcode readTips}. */
export async function listTips(scratch: Scratch, folder: "claims" | "ids") {
  const start = `${scratch.prefix}${folder}/`;
  const tips = await readTips(scratch, `${start}*`);
  return new Map([...tips].map(([ref, tip]) => [ref.slice(start.length), tip]));
}

function itemOf(scratch: Scratch, id: string, tip: Tip) {
  const { state, ...record } = tip.record;
  const textIn = (name: string, most: number) => shortLine(textOf(record[name]) ?? "", most);
  const owner = textIn("owner", MAX_OWNER);
  const clone = textIn("clone", 40);
  const claim = {
    id,
    owner,
    // The random id of the clone that claimed it, and whether it is this one.
    clone,
    isHere: clone === scratch.clone,
    // When it was claimed, ISO 8601 in UTC, and on which branch; empty if unknown.
    since: orElse(() => new Date(textOf(record["since"]) ?? NaN).toISOString(), ""),
    branch: textIn("branch", 200),
  };
  return { ...tip, claim: state === "claimed" && owner !== "" ? claim : undefined };
}

/** Claims an item; fails if that has changed since it was seen. */
export function pushClaim(
  scratch: Scratch,
  claim: Pick<RemoteClaim, "id" | "owner" | "branch">,
  seen: RemoteItem | undefined,
) {
  const since = new Date().toISOString();
  const record = { state: "claimed", clone: scratch.clone, since, ...claim };
  return replace(scratch, claim.id, seen, record);
}

/** Frees an item that still has the given claim. */
export function freeClaim(scratch: Scratch, id: string, seen: RemoteItem) {
  return replace(scratch, id, seen, freeRecord(seen));
}

function freeRecord({ record }: Tip): Tip["record"] {
  return { ...record, state: "free", since: new Date().toISOString() };
}

/** Returns the step that sets an item back, or who was faster. */
async function replace(
  scratch: Scratch,
  id: string,
  seen: RemoteItem | undefined,
  record: Tip["record"],
): Promise<{ undo?: UndoStep; faster?: RemoteItem | undefined }> {
  const ref = `${scratch.prefix}claims/${id}`;
  const [swap] = await swapRefs(scratch, [{ ref, expected: seen?.hash ?? "", record }]);
  const { isOurs, tip } = swap!;
  const now = tip && itemOf(scratch, id, tip);
  if (!isOurs) return { faster: now };
  const earlier = seen?.claim === undefined ? freeRecord(now!) : seen.record;
  const undo: UndoStep = async (signal) => {
    const back = await replace({ ...scratch, signal }, id, now, earlier);
    if (back.undo !== undefined) return noteStep(back.undo);
    throw new RefraktError("CONFLICT", `The claim of ${word(id)} was changed on the remote`, {
      hint: "Nothing was undone. plan_list { claimed: true } shows who has it.",
    });
  };
  return { undo };
}

/**
 * Reserves ids with one push, so that clones that have not seen each other create different ones.
 *
 * @returns Those that another clone has, because it was faster.
 */
export async function reserveIds(scratch: Scratch, ids: readonly string[]): Promise<string[]> {
  const wanted = ids.filter(isClaimable);
  const changes = wanted.map((id) => ({
    ref: `${scratch.prefix}ids/${id}`,
    expected: "",
    record: { id, clone: scratch.clone, since: new Date().toISOString() },
  }));
  const swaps = await swapRefs(scratch, changes);
  return wanted.filter((_id, at) => !swaps[at]!.isOurs);
}

/** How long a list of claims is reused, in milliseconds. */
const LIST_MS = 30_000;

export type KnownClaims = Awaited<ReturnType<typeof knownClaims>>;

/**
 * Reads the claims by id without failing if the remote does not answer; says what is unknown then.
 *
 * @param age How old the list may be, in milliseconds; for answers that only show claims, 30 seconds.
 */
export async function knownClaims(call: RemoteCall, age = LIST_MS) {
  const { project: { cwd, memo, remote }, signal } = call.context;
  const key = JSON.stringify([cwd, remote]);
  const unknown: string[] = [];
  const side = await orOtherwise(
    signal,
    () => unlessFailed(memo, key, signal, undefined, () => remoteSide(call, age)),
    ({ message }) => void unknown.push(`Claims on the remote: ${message}`),
  );
  const claims = new Map<string, RemoteClaim>();
  for (const [id, { claim, hash }] of side?.items ?? []) {
    if (claim !== undefined) claims.set(id, claim);
    if (side?.scratch.tooLarge.has(hash)) {
      unknown.push(`The claim of ${word(id)} on the remote is too large to be one`);
    }
  }
  return { claims, address: side?.scratch.publicAddress, unknown };
}

/** Formats a claim for answers. */
export function shownRemoteClaim({ owner, clone, since, branch }: RemoteClaim) {
  const age = since === "" ? undefined : durationText(Date.now() - Date.parse(since));
  return { owner, clone, since: since || undefined, age, branch: branch || undefined };
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
export function takenError(claim: RemoteClaim, otherwise = "Take another item, or claim it with") {
  const message = `${word(claim.id)} is ${claimSentence(claim, "on the remote ")}`;
  const takeOver = `takeOver: ${quotedName(claim.owner)}, if they have stopped`;
  return new RefraktError("CONFLICT", message, {
    hint: `Nothing was written. ${otherwise} ${takeOver}.`,
    data: { current: shownRemoteClaim(claim) },
  });
}
