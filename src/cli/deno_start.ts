/**
 * How a client starts Deno: directly, or through npx on machines with only Node.
 *
 * @module
 */

import { isOnPath } from "../io/programs.ts";
import { TESTED_DENO } from "../runtime.ts";
import type { Launch } from "./grants.ts";

/** Deno as the shell finds it. */
export const DENO: Launch = { command: "deno", args: [] };

/**
 * Deno by npm: nothing has to be installed but Node. Windows starts the script
 * that npx is there only through its shell.
 *
 * @param os The operating system, for tests of each.
 */
export function denoByNpx(os: typeof Deno.build.os = Deno.build.os): Launch {
  const args = ["-y", `deno@${TESTED_DENO}`];
  return os === "windows"
    ? { command: "cmd", args: ["/c", "npx", ...args] }
    : { command: "npx", args };
}

/** What {@linkcode chooseDeno} decides by; for tests. */
export type DenoFacts = ReturnType<typeof here>;

/**
 * Decides what starts Deno: `npx` where it is asked for or no `deno` is on the
 * PATH, and for a client that does not have the shell's PATH the whole path.
 *
 * @param npx Whether npx is asked for.
 * @param ownPath Whether the client is started with a PATH of its own.
 */
export function chooseDeno(npx: boolean, ownPath = false, facts: DenoFacts = here()): Launch {
  // What npx runs is in a cache of its own, which it puts on the PATH of the process alone.
  const isCached = /[\\/]_npx[\\/]/.test(facts.execPath);
  if (npx || isCached || !facts.isOnPath("deno")) return denoByNpx();
  return ownPath && !facts.standalone ? { command: facts.execPath, args: [] } : DENO;
}

function here() {
  return { execPath: Deno.execPath(), standalone: Deno.build.standalone, isOnPath };
}
