/** Reserves the id of a new entity on the remote, and says what is unknown of other clones' ids. */

import { RefraktError } from "../../../src/errors.ts";
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
  const goOn = (error: unknown) => {
    if (signal.aborted || !(error instanceof RefraktError)) throw error;
    unchecked.push(`The id is not reserved: ${error.message}`);
  };
  try {
    const scratch = (await openRemote(context))!;
    const ids = await listIds(scratch);
    const isOwn = (id: string) => ids.get(id)?.record["clone"] === scratch.clone;
    return {
      taken: new Map([...ids.keys()].filter((id) => !isOwn(id)).map((id) => [id, RESERVED])),
      unchecked,
      known: { scratch, ids },
      reserve: async (id) => {
        try {
          return isOwn(id) || await reserveId(scratch, id);
        } catch (error) {
          goOn(error);
          return true;
        }
      },
    };
  } catch (error) {
    goOn(error);
    return { taken: new Map(), unchecked };
  }
}
