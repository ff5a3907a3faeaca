/** Tells a `node_modules` that a package manager is replacing from one that has changed. */

import { areCurrent, type Reads } from "../io/reads.ts";
import { fileStamp, NO_FILE } from "../io/stamp.ts";

/** How long packages may be missing while they are replaced, in milliseconds. */
const LONGEST_MS = 60_000;

/**
 * Returns a function that tells whether installed packages are missing for a moment, as during
 * `npm ci`: what is loaded can go on until they are back.
 */
export function replacing(): (reads: Reads) => boolean {
  let since = Infinity;
  return (reads) => {
    const [others, packages] = [new Map<string, string>(), new Map<string, string>()];
    for (const [path, stamp] of reads) {
      (/[\\/]node_modules(?:[\\/]|$)/.test(path) ? packages : others).set(path, stamp);
    }
    const isMissing = packages.entries().some(([path, stamp]) =>
      stamp !== NO_FILE && fileStamp(path) === NO_FILE
    );
    const now = performance.now();
    since = isMissing ? Math.min(since, now) : Infinity;
    return isMissing && now - since < LONGEST_MS && areCurrent(others);
  };
}
