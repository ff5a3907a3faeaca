/** Reserves the id of a new entity on the remote, and says what is unknown of other clones' ids. */

import { orOtherwise, type RefraktError } from "../../../src/errors.ts";
import { remoteAge } from "../git/remote_age.ts";
import { listIds, reserveId } from "../remote/ids.ts";
import { openRemote } from "../remote/mod.ts";
import type { Tip } from "../remote/refs.ts";
import type { Scratch } from "../remote/scratch.ts";
import type { PlanPlace } from "../store/place.ts";

/** The place of an id that another clone has reserved. */
export const RESERVED = "another clone has reserved it on the remote";

/** The remote's side of a creation. */
export interface IdReservations {
  /** What other clones have reserved, with its place. */
  readonly taken: ReadonlyMap<string, string>;
  /** Sentences about what is unknown; a failure of {@linkcode reserve} adds one. */
  readonly unchecked: string[];
  /** Reserves an id; `false` if another clone has it. Goes on if the remote does not answer. */
  readonly reserve?: (id: string) => Promise<boolean>;
  /** The remote and all reservations, if it answered. */
  readonly known?: { readonly scratch: Scratch; readonly ids: ReadonlyMap<string, Tip> };
}

/** Reads the reservations. Creating goes on without the remote, because an id can be changed later. */
export async function idReservations(
  { context, git, signal }: PlanPlace,
): Promise<IdReservations> {
  const unchecked: string[] = [];
  if (context.project.remote === undefined) {
    const age = await remoteAge(git).catch(() => undefined);
    if (age !== undefined) unchecked.push(`${age}: ids created since then are unknown`);
    return { taken: new Map(), unchecked };
  }
  const notReserved = ({ message }: RefraktError) => {
    unchecked.push(`The id is not reserved: ${message}`);
  };
  const read = async () => {
    const scratch = (await openRemote(context))!;
    return { scratch, ids: await listIds(scratch) };
  };
  const known = await orOtherwise(signal, read, notReserved);
  if (known === undefined) return { taken: new Map(), unchecked };
  const { scratch, ids } = known;
  const isOwn = (id: string) => ids.get(id)?.record["clone"] === scratch.clone;
  return {
    taken: new Map([...ids.keys()].filter((id) => !isOwn(id)).map((id) => [id, RESERVED])),
    unchecked,
    known,
    reserve: async (id) =>
      isOwn(id) ||
      await orOtherwise(signal, () => reserveId(scratch, id), notReserved) !== false,
  };
}
