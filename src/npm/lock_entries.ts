/**
 * What the lock files have in common: what they say of one package.
 *
 * @module
 */

import { isExactVersion } from "./names.ts";

/** What a lock file says of a package. */
export interface Locked {
  /** The exact version; absent for a folder. */
  readonly version?: string;
  /** Where it was fetched from, or the folder that it is. */
  readonly resolved?: string;
  /** The checksum of its archive. */
  readonly integrity?: string;
}

/**
 * What is pinned of a package, or `undefined`. Of several copies, the one that Node takes
 * from the project's folder.
 *
 * @param range What the project's manifest asks for, as written.
 */
export type FindLocked = (packageName: string, range?: string) => Locked | undefined;

/** What is pinned, of fields as a lock file has them. */
export function locked(version: unknown, resolved: unknown, integrity: unknown): Locked {
  const pinned = exact(version);
  return {
    ...(pinned === undefined ? {} : { version: pinned }),
    ...(typeof resolved === "string" ? { resolved } : {}),
    ...(typeof integrity === "string" ? { integrity } : {}),
  };
}

/** Compares the numbers of two exact versions; a release is higher than what precedes it. */
export function compare(a = "", b = ""): number {
  const [coreA = "", preA = ""] = a.split("-", 2);
  const [coreB = "", preB = ""] = b.split("-", 2);
  const [left, right] = [coreA, coreB].map((core) => core.split(".").map(Number));
  for (let i = 0; i < 3; i++) {
    const difference = (left![i] ?? 0) - (right![i] ?? 0);
    if (difference !== 0) return difference;
  }
  if (preA === "" || preB === "") return preA === preB ? 0 : preA === "" ? 1 : -1;
  return preA < preB ? -1 : preA > preB ? 1 : 0;
}

/** Whether a lock file's word for a version is a folder, a repository or an address. */
export function isElsewhere(version: string): boolean {
  return /^(?:workspace|link|portal|file|git(?:\+\w+)?|github|ssh|https?):/.test(version);
}

/** A version that is exact; `undefined` for anything else. */
export function exact(version: unknown): string | undefined {
  return typeof version === "string" && isExactVersion(version) ? version : undefined;
}
