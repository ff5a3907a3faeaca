/** The remote of a call, and what is known of its claims. */

import { word } from "../../../src/plain_text.ts";
import { orOtherwise } from "../../../src/errors.ts";
import { askGit, type GitPlace } from "../../../src/io/git_ask.ts";
import type { CallContext } from "../../../src/plugin/context.ts";
import { unlessFailed } from "../git/failures.ts";
import { resolveRemote } from "./address.ts";
import { isOwnClaim, listClaims, type RemoteClaim, type RemoteItem, takenError } from "./claims.ts";
import { openScratch, type Scratch } from "./git_remote.ts";

/** A call that may ask the remote. */
export interface RemoteCall {
  readonly context: Pick<CallContext, "project" | "signal">;
}

/** How long a list of claims is reused, in milliseconds. */
const LIST_MS = 30_000;

/**
 * Opens the remote that the command line names; `undefined` without one.
 *
 * @throws {RefraktError} `INVALID_ARGS` for an unknown remote, `REMOTE_UNREACHABLE` without a cache.
 */
export async function openRemote(
  { context: { project: { cwd, memo, remote }, signal } }: RemoteCall,
): Promise<Scratch | undefined> {
  if (remote === undefined) return undefined;
  const scratch = await memo(["remote", JSON.stringify(remote)], async () => {
    const address = await resolveRemote(remote, cwd, signal);
    return await openScratch(address, Deno.realPathSync(cwd), signal);
  });
  return { ...scratch, signal };
}

/** The remote's side of a call. */
export interface RemoteSide {
  readonly scratch: Scratch;
  /** What the remote had before the call, by id. */
  readonly items: ReadonlyMap<string, RemoteItem>;
  /** The checked-out branch; empty if unknown. */
  readonly branch: string;
}

/** Reads the remote's claims; `undefined` without a remote. */
export async function remoteSide(
  call: RemoteCall & { readonly git: GitPlace },
): Promise<RemoteSide | undefined> {
  const scratch = await openRemote(call);
  if (scratch === undefined) return undefined;
  const [items, branch] = await Promise.all([
    listClaims(scratch),
    askGit(["rev-parse", "--abbrev-ref", "HEAD"], call.git).catch(() => ""),
  ]);
  return { scratch, items, branch: branch.trim() };
}

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
    const scratch = (await openRemote(call))!;
    const unknown: string[] = [];
    for (const [id, { claim, tip }] of await listClaims(scratch, age)) {
      if (claim !== undefined) claims.set(id, claim);
      if (scratch.tooLarge.has(tip.hash)) {
        unknown.push(`The claim of ${word(id)} on the remote is too large to be one`);
      }
    }
    return { claims, address: scratch.shown, unknown };
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
  const read = async () => await listClaims((await openRemote(call))!);
  const all = await orOtherwise(signal, read, (error) => {
    if (!error.code.startsWith("REMOTE_")) throw error;
    return undefined;
  });
  for (const { id, assignee } of items) {
    const claim = all?.get(id)?.claim;
    if (claim !== undefined && !isOwnClaim(claim, assignee)) throw takenError(claim);
  }
  return all === undefined ? "unconfirmed" : "confirmed";
}
