/**
 * The ids that a new entity cannot have: those on branches and in worktrees, and those that other
 * clones have reserved on the remote.
 */

import { orOtherwise, type RefraktError } from "../../../src/errors.ts";
import { remoteAge } from "../git/remote_age.ts";
import { listIds, reserveIds } from "../remote/claims.ts";
import { openRemote } from "../remote/mod.ts";
import type { Scratch, Tip } from "../remote/git_remote.ts";
import { type PlanPlace, withPlanLock } from "../store/place.ts";
import { readIds } from "./elsewhere.ts";

/** Ends work under the lock whose ids have to be reserved first. */
const NOT_RESERVED = new Error("Ids are not reserved");

/** The place of an id that another clone has reserved. */
const RESERVED = "another clone has reserved it on the remote";

interface TakenIds {
  /** The place of each id, such as `the branch feature/x`. */
  readonly ids: ReadonlyMap<string, string>;
  /** Sentences about what is unknown; a failure of {@linkcode reserve} adds one. */
  readonly unchecked: string[];
  /**
   * Runs work under the plan's lock that calls `need` with new ids before it writes. Ids that are not
   * reserved on the remote end it: they are reserved without the lock, and the work begins again.
   * Those that another clone has are in `ids` then. Goes on if the remote does not answer, because an
   * id can be changed later.
   */
  locked<Value>(work: (need: (...ids: string[]) => void) => Promise<Value>): Promise<Value>;
  /** The remote and all reservations, if it answered. */
  readonly known?: { readonly scratch: Scratch; readonly tips: ReadonlyMap<string, Tip> };
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
    const scratch = (await openRemote(place))!;
    return { scratch, tips: await listIds(scratch) };
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
  const reserved = new Set<string>();
  for (const [id, { record }] of known?.tips ?? []) {
    if (record["clone"] === known?.scratch.clone) reserved.add(id);
    else if (!ids.has(id)) ids.set(id, RESERVED);
  }
  const locked = async <Value>(work: (need: (...ids: string[]) => void) => Promise<Value>) => {
    for (;;) {
      let missing: string[] = [];
      const need = (...wanted: string[]) => {
        missing = known === undefined
          ? []
          : wanted.filter((id) => !reserved.has(id) && !ids.has(id));
        if (missing.length > 0) throw NOT_RESERVED;
      };
      try {
        return await withPlanLock(place, () => work(need));
      } catch (error) {
        if (error !== NOT_RESERVED) throw error;
      }
      const reserve = () => reserveIds(known!.scratch, missing);
      const lost = await orOtherwise(signal, reserve, notReserved) ?? [];
      for (const id of missing) lost.includes(id) ? ids.set(id, RESERVED) : reserved.add(id);
    }
  };
  return { ids, unchecked, locked, ...known && { known } };
}
