/**
 * Facts about the folders of a file: whether they are readable, whose package they hold, and which
 * repositories they belong to. Each is found once for a burst of imports.
 */

import { basename, dirname, join } from "node:path";
import { textOf } from "../io/json.ts";
import { exists } from "../io/paths.ts";
import { isReadable } from "../io/permissions.ts";
import { readManifest } from "./manifests.ts";

/** Facts about a folder. Unreadable folders have none. */
export interface Folder {
  readonly isReadable: boolean;
  /** Whether it lies below a readable `node_modules`, or is one. */
  readonly isInModules: boolean;
  /** The outermost package below the innermost `node_modules`; elsewhere the nearest package. */
  readonly package: Package | undefined;
  /** The readable repositories around it, and the topmost readable folder, which git may extend. */
  readonly repositories: readonly string[];
}

/** A folder with a manifest. */
export interface Package {
  readonly folder: string;
  readonly name: string | undefined;
  readonly version: string | undefined;
}

const UNREADABLE: Folder = {
  isReadable: false,
  isInModules: false,
  package: undefined,
  repositories: [],
};

/** How long facts are used, in milliseconds: files may have changed after it. */
const BURST_MS = 20;

const burst = { start: -Infinity };

/** Makes all facts out of date. */
export function endBurst(): void {
  burst.start = -Infinity;
}

/** Caches a function of a path for a burst. */
export function perBurst<Value>(find: (path: string) => Value): (path: string) => Value {
  let known = new Map<string, Value>();
  let knownSince = burst.start;
  return (path) => {
    const now = performance.now();
    if (now - burst.start > BURST_MS) burst.start = now;
    if (knownSince !== burst.start) known = new Map();
    knownSince = burst.start;
    return known.getOrInsertComputed(path, find);
  };
}

/** Returns the facts about a folder, a real path. */
export const folderOf: (path: string) => Folder = perBurst((path) => {
  if (!isReadable(path)) return UNREADABLE;
  const parent = dirname(path) === path ? undefined : folderOf(dirname(path));
  const isModules = basename(path) === "node_modules";
  const isInModules = isModules || parent?.isInModules === true;
  const above = isModules ? undefined : parent?.package;
  return {
    isReadable: true,
    isInModules,
    package: isModules
      ? undefined
      : isInModules
      ? above ?? packageIn(path)
      : packageIn(path) ?? above,
    repositories: repositoriesOf(path, parent),
  };
});

function packageIn(folder: string): Package | undefined {
  if (!exists(join(folder, "package.json"))) return undefined;
  const { name, version } = readManifest(folder, "package.json") ?? {};
  return { folder, name: textOf(name), version: textOf(version) };
}

function repositoriesOf(folder: string, parent: Folder | undefined): readonly string[] {
  const above = parent?.repositories ?? [];
  // Above the topmost readable folder, git may still find a repository.
  const mayExtend = parent !== undefined && !parent.isReadable;
  return mayExtend || exists(join(folder, ".git")) ? [folder, ...above] : above;
}
