/** What is known of the claims on the remote, and what is said of them. */

import { quoted, quotedName, word } from "../../../src/plain_text.ts";
import { orOtherwise, RefraktError } from "../../../src/errors.ts";
import { durationText } from "../entity/durations.ts";
import { unlessFailed } from "../git/failures.ts";
import { isOwnClaim, type RemoteCall, type RemoteClaim, remoteSide } from "./claims.ts";

/** How long a list of claims is reused, in milliseconds. */
const LIST_MS = 30_000;

/** The claims on the remote by id, and the reason if they are unknown. */
export interface KnownClaims {
  readonly claims: ReadonlyMap<string, RemoteClaim>;
  /** The address of the remote, without a password. */
  readonly address?: string;
  readonly unknown: readonly string[];
}

/**
 * Reads the claims without failing if the remote does not answer.
 *
 * @param age How old the list may be, in milliseconds; for answers that only show claims, 30 seconds.
 */
export async function knownClaims(call: RemoteCall, age = LIST_MS): Promise<KnownClaims> {
  const { project: { cwd, memo, remote }, signal } = call.context;
  const claims = new Map<string, RemoteClaim>();
  if (remote === undefined) return { claims, unknown: [] };
  const read = async () => {
    const { scratch, items } = (await remoteSide(call, age))!;
    const unknown: string[] = [];
    for (const [id, { claim, hash }] of items) {
      if (claim !== undefined) claims.set(id, claim);
      if (scratch.tooLarge.has(hash)) {
        unknown.push(`The claim of ${word(id)} on the remote is too large to be one`);
      }
    }
    return { claims, address: scratch.remote.shown, unknown };
  };
  return await orOtherwise<KnownClaims, KnownClaims>(
    signal,
    () => unlessFailed(memo, JSON.stringify([cwd, remote]), signal, undefined, read),
    ({ message }) => ({ claims, unknown: [`Claims on the remote: ${message}`] }),
  );
}

/**
 * Checks that items which are about to be finished still belong to their assignees in this clone.
 *
 * @param items Their ids and present assignees.
 * @returns `unconfirmed` if the remote does not answer; `undefined` without a remote.
 * @throws {RefraktError} `CONFLICT` with the new owner.
 */
export async function requireOwnClaims(
  call: RemoteCall,
  items: readonly { readonly id: string; readonly assignee: string }[],
): Promise<"confirmed" | "unconfirmed" | undefined> {
  const { project: { remote }, signal } = call.context;
  if (remote === undefined || items.length === 0) return undefined;
  const side = await orOtherwise(signal, () => remoteSide(call), (error) => {
    if (!error.code.startsWith("REMOTE_")) throw error;
    return undefined;
  });
  for (const { id, assignee } of items) {
    const claim = side?.items.get(id)?.claim;
    if (claim !== undefined && !isOwnClaim(claim, assignee)) throw takenError(claim);
  }
  return side === undefined ? "unconfirmed" : "confirmed";
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
