/**
 * The ids that a new entity cannot have: those on branches and in worktrees, and those that other
 * clones have reserved on the remote.
 */

import { orOtherwise, type RefraktError } from "../../../src/errors.ts";
import { remoteAge } from "../git/remote_age.ts";
import { listIds, reserveId } from "../remote/ids.ts";
import { openRemote } from "../remote/mod.ts";
import type { Tip } from "../remote/refs.ts";
import type { Scratch } from "../remote/scratch.ts";
import type { PlanPlace } from "../store/place.ts";
import { readIds } from "./elsewhere.ts";

/** The place of an id that another clone has reserved. */
const RESERVED = "another clone has reserved it on the remote";

export interface TakenIds {
  /** The place of each id, such as `the branch feature/x`. */
  readonly ids: ReadonlyMap<string, string>;
  /** Sentences about what is unknown; a failure of {@linkcode reserve} adds one. */
  readonly unchecked: string[];
  /**
   * Reserves an id on the remote, if there is one; `false` if another clone has it, which `ids` says
   * from then on. Goes on if the remote does not answer, because an id can be changed later.
   */
  reserve(id: string): Promise<boolean>;
  /** The remote and all reservations, if it answered. */
  readonly known?: { readonly scratch: Scratch; readonly reserved: ReadonlyMap<string, Tip> };
}

/** Reads the ids that are taken outside the plan's files. */
export async function takenIds(place: PlanPlace): Promise<TakenIds> {
  const { context, git, signal } = place;
  const isAlone = context.project.remote === undefined;
  const unchecked: string[] = [];
  const notReserved = ({ message }: RefraktError) => {
    unchecked.push(`The id is not reserved: ${message}`);
  };
  const readRemote = async () => {
    const scratch = (await openRemote(context))!;
    return { scratch, reserved: await listIds(scratch) };
  };
  const [{ ids, leftOut, failed, nothing }, known] = await Promise.all([
    readIds(place),
    isAlone ? undefined : orOtherwise(signal, readRemote, notReserved),
  ]);
  unchecked.unshift(...leftOut);
  if (isAlone && failed === undefined && nothing === undefined) {
    const age = await remoteAge(git).catch(() => undefined);
    if (age !== undefined) unchecked.push(`${age}: ids created since then are unknown`);
  }
  const isOwn = (id: string) => known?.reserved.get(id)?.record["clone"] === known?.scratch.clone;
  for (const id of known?.reserved.keys() ?? []) {
    if (!isOwn(id) && !ids.has(id)) ids.set(id, RESERVED);
  }
  const reserve = async (id: string) => {
    if (known === undefined || known.reserved.has(id) && isOwn(id)) return true;
    const isFree = await orOtherwise(
      signal,
      () => reserveId(known.scratch, id),
      notReserved,
    ) !== false;
    if (!isFree) ids.set(id, RESERVED);
    return isFree;
  };
  return { ids, unchecked, reserve, ...known && { known } };
}
