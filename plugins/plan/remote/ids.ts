/** Reserves ids on a remote, so that clones that have not seen each other create different ones. */

import { isClaimable } from "./claims.ts";
import { listRefs, swapRef, type Tip } from "./refs.ts";
import type { Scratch } from "./scratch.ts";

const FOLDER = "ids/";

/** Reads the reserved ids. Throws like {@linkcode listRefs}. */
export function listIds(scratch: Scratch, signal: AbortSignal): Promise<Map<string, Tip>> {
  return listRefs(scratch, FOLDER, signal);
}

/**
 * Reserves an id.
 *
 * @returns Whether it is ours; `false` if another clone was faster.
 */
export async function reserveId(
  scratch: Scratch,
  id: string,
  signal: AbortSignal,
): Promise<boolean> {
  if (!isClaimable(id)) return true;
  const since = new Date().toISOString();
  const record = { id, clone: scratch.clone, since };
  return "won" in await swapRef(scratch, `${FOLDER}${id}`, undefined, record, signal);
}
