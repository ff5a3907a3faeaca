/** Reserves ids on a remote, so that clones that have not seen each other create different ones. */

import { isClaimable } from "./claims.ts";
import { readTips, swapRefs, type Tip } from "./refs.ts";
import type { Scratch } from "./scratch.ts";

const FOLDER = "ids/";

/** Reads the reserved ids. Throws like {@linkcode readTips}. */
export async function listIds(scratch: Scratch): Promise<Map<string, Tip>> {
  const start = `${scratch.prefix}${FOLDER}`;
  const tips = await readTips(scratch, `${start}*`);
  return new Map([...tips].map(([ref, tip]) => [ref.slice(start.length), tip]));
}

/**
 * Reserves ids with one push.
 *
 * @returns Those that another clone has, because it was faster.
 */
export async function reserveIds(scratch: Scratch, ids: readonly string[]): Promise<string[]> {
  const wanted = ids.filter(isClaimable);
  const since = new Date().toISOString();
  const swaps = await swapRefs(
    scratch,
    wanted.map((id) => ({
      ref: `${scratch.prefix}${FOLDER}${id}`,
      expected: undefined,
      record: { id, clone: scratch.clone, since },
    })),
  );
  return wanted.filter((_id, at) => !("won" in swaps[at]!));
}
