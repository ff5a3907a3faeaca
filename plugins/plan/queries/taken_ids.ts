/**
 * The ids that a new entity cannot have: those on branches and in worktrees, and those that other
 * clones have reserved on the remote.
 */

import { orOtherwise, type RefraktError } from "../../../src/errors.ts";
import { listTips, openRemote, reserveIds } from "../remote/claims.ts";
import { type Refs, remoteAge } from "../git/refs.ts";
import { type PlanPlace, withPlanLock } from "../store/place.ts";
import { knownHistory } from "./access.ts";
import { type Unread, withRefs } from "./elsewhere.ts";
import { changedPlaces, readPlaceFiles } from "./places.ts";

/** Thrown to end work under the lock until its ids are reserved. */
const NOT_RESERVED = new Error("Ids are not reserved");

/** The place of an id that another clone has reserved. */
const RESERVED = "another clone has reserved it on the remote";

/** The place of ids that the branch has had, and no file here has. */
const HISTORY = "the history of this branch";

/** Reads the ids that are taken outside the plan's files. */
export async function takenIds(place: PlanPlace) {
  const { context, git, signal } = place;
  const isAlone = context.project.remote === undefined;
  const unchecked: string[] = [];
  const notReserved = ({ message }: RefraktError): undefined => {
    unchecked.push(`The id is not reserved: ${message}`);
  };
  const readRemote = async () => {
    const scratch = (await openRemote(place))!;
    return { scratch, tips: await listTips(scratch, "ids") };
  };
  const ids = new Map<string, string>();
  const [{ leftOut, failed, nothing }, remote] = await Promise.all([
    withRefs(place, (refs) => addIds(ids, place, refs)),
    isAlone ? undefined : orOtherwise(signal, readRemote, notReserved),
  ]);
  unchecked.unshift(...leftOut);
  if (isAlone && failed === undefined && nothing === undefined) {
    const age = await remoteAge(git).catch(() => undefined);
    if (age !== undefined) unchecked.push(`${age}: ids created since then are unknown`);
  }
  const reserved = new Set<string>();
  for (const [id, { record }] of remote?.tips ?? []) {
    if (record["clone"] === remote?.scratch.clone) reserved.add(id);
    else ids.getOrInsert(id, RESERVED);
  }
  /**
   * Runs work under the plan's lock. The work calls `need` with new ids before it writes, which ends it
   * if some are not reserved on the remote yet: they are reserved without the lock, those that another
   * clone has are added to `ids`, and the work begins again. If the remote does not answer, it goes on:
   * an id can be changed later.
   */
  const locked = async <Value>(
    work: (need: (...ids: string[]) => void) => Promise<Value>,
  ): Promise<Value> => {
    for (;;) {
      let missing: string[] = [];
      const need = (...wanted: string[]) => {
        missing = remote === undefined
          ? []
          : wanted.filter((id) => !reserved.has(id) && !ids.has(id));
        if (missing.length > 0) throw NOT_RESERVED;
      };
      try {
        return await withPlanLock(place, () => work(need));
      } catch (error) {
        if (error !== NOT_RESERVED) throw error;
      }
      const reserve = () => reserveIds(remote!.scratch, missing);
      const lost = await orOtherwise(signal, reserve, notReserved) ?? [];
      for (const id of missing) lost.includes(id) ? ids.set(id, RESERVED) : reserved.add(id);
    }
  };
  return {
    // The place of each id, such as `the branch feature/x`.
    ids: ids as ReadonlyMap<string, string>,
    // Sentences about what is unknown; a failure of reserving adds one.
    unchecked,
    locked,
    // The remote and all reservations, if it answered.
    remote,
  };
}

/** Adds the ids that are taken on branches, in the history of this one, and in worktrees. */
async function addIds(ids: Map<string, string>, place: PlanPlace, refs: Refs): Promise<Unread> {
  const changed = await changedPlaces(place, refs);
  const fileOf = await readPlaceFiles(place, changed);
  // A worktree's files have what its branch has.
  for (const { name, changes } of changed.places.toReversed()) {
    const where = name.replace(/^\w/, (first) => first.toLowerCase());
    for (const { path, after } of changes) {
      const { entity, further = [] } = fileOf(path, after)?.parsed ?? {};
      for (const { id } of [entity ?? {}, ...further]) if (id !== undefined) ids.set(id, where);
    }
  }
  // Commits may name an id that no file has any more.
  const { events, gaps } = await knownHistory(place);
  for (const { id } of events) if (id !== undefined) ids.getOrInsert(id, HISTORY);
  const unknown = gaps.map((gap) => `Ids of earlier commits are unknown: ${gap}`);
  return { leftOut: changed.leftOut.concat(unknown) };
}

/** Returns where a caller's id is taken. An id that was deleted here may be reused. */
export function placeOf(ids: ReadonlyMap<string, string>, id: string): string | undefined {
  const place = ids.get(id);
  return place === HISTORY ? undefined : place;
}
