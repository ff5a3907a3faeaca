/** Reserves ids on a remote, so that clones that have not seen each other create different ones. */

import { isClaimable } from "./claims.ts";
import { readTips, swapRef, type Tip } from "./refs.ts";
import type { Scratch } from "./scratch.ts";

const FOLDER = "ids/";

/** Reads the reserved ids. Throws like {@linkcode readTips}. */
export async function listIds(scratch: Scratch): Promise<Map<string, Tip>> {
  const start = `${scratch.prefix}${FOLDER}`;
  const tips = await readTips(scratch, `${start}*`);
  return new Map([...tips].map(([ref, tip]) => [ref.slice(start.length), tip]));
}

/**
 * Reserves an id.
 *
 * @returns Whether it is ours; `false` if another clone was faster.
 */
export async function reserveId(scratch: Scratch, id: string): Promise<boolean> {
  if (!isClaimable(id)) return true;
  const record = { id, clone: scratch.clone, since: new Date().toISOString() };
  return "won" in await swapRef(scratch, `${scratch.prefix}${FOLDER}${id}`, undefined, record);
}
