/**
 * The ids that a new entity cannot have: those on branches and in worktrees, and those that other
 * clones have reserved on the remote.
 */

import { orOtherwise, type RefraktError } from "../../../src/errors.ts";
import { remoteAge } from "../git/remote_age.ts";
import { listIds, reserveIds } from "../remote/ids.ts";
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
   * Reserves ids on the remote, if there is one; `false` if another clone has some, which `ids` says
   * from then on. Goes on if the remote does not answer, because an id can be changed later.
   */
  reserve(ids: readonly string[]): Promise<boolean>;
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
  const own = new Set<string>();
  for (const [id, { record }] of known?.reserved ?? []) {
    if (record["clone"] === known?.scratch.clone) own.add(id);
    else if (!ids.has(id)) ids.set(id, RESERVED);
  }
  const reserve = async (wanted: readonly string[]) => {
    const open = wanted.filter((id) => !own.has(id));
    if (known === undefined || open.length === 0) return true;
    const work = () => reserveIds(known.scratch, open);
    const lost = await orOtherwise(signal, work, notReserved) ?? [];
    for (const id of open) lost.includes(id) ? ids.set(id, RESERVED) : own.add(id);
    return lost.length === 0;
  };
  return { ids, unchecked, reserve, ...known && { known } };
}
