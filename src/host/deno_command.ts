/** Chooses the Deno that starts the server. */

import { isOnPath } from "../io/git.ts";
import { DENO, denoByNpx, type Launch } from "./shell.ts";

/** The inputs of {@linkcode chooseDeno}; for tests. */
export type DenoFacts = ReturnType<typeof here>;

/**
 * Uses `npx` if requested or if no `deno` is on the PATH.
 *
 * @param ownPath Whether the client starts without the shell's PATH and requires an absolute path.
 */
export function chooseDeno(npx = false, ownPath = false, facts: DenoFacts = here()): Launch {
  // npx adds its cache to the PATH of this process only.
  const isCached = /[\\/]_npx[\\/]/.test(facts.execPath);
  if (npx || isCached || !facts.isOnPath("deno")) return denoByNpx();
  return ownPath && !facts.standalone ? { command: facts.execPath, args: [] } : DENO;
}

/** Starts a program of a registry with the permissions in `args`. */
export function denoRun(args: readonly string[], npx?: boolean): Launch {
  const deno = chooseDeno(npx);
  return { ...deno, args: [...deno.args, "run", "--no-config", "--no-prompt", ...args] };
}

function here() {
  return { execPath: Deno.execPath(), standalone: Deno.build.standalone, isOnPath };
}
