/**
 * Facts about the folders of a file: whether they are readable, whose package they hold, and which
 * repositories they belong to. Each is found once for a burst of imports.
 */

import { basename, dirname, join } from "node:path";
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
  readonly name?: string;
  readonly version?: string;
}

const UNREADABLE: Folder = {
  isReadable: false,
  isInModules: false,
  package: undefined,
  repositories: [],
};

/** A pause after which files may have changed, in milliseconds. */
const PAUSE_MS = 20;
/** How long facts are used in a burst without pauses, in milliseconds. */
const BURST_MS = 1000;

let burst = {};
let burstStart = -Infinity;
let lastAsked = -Infinity;

/** Makes all facts out of date. */
export function endBurst(): void {
  lastAsked = -Infinity;
}

/** Identifies a burst of imports; facts of an earlier one are out of date. */
function currentBurst(): object {
  const now = performance.now();
  if (now - lastAsked > PAUSE_MS || now - burstStart > BURST_MS) {
    burst = {};
    burstStart = now;
  }
  lastAsked = now;
  return burst;
}

/** Caches a function of a path for a burst. */
export function perBurst<Value>(find: (path: string) => Value): (path: string) => Value {
  const found = new WeakMap<object, Map<string, { readonly value: Value }>>();
  return (path) => {
    const now = currentBurst();
    let known = found.get(now);
    if (known === undefined) found.set(now, known = new Map());
    let entry = known.get(path);
    if (entry === undefined) known.set(path, entry = { value: find(path) });
    return entry.value;
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
  return {
    folder,
    ...(typeof name === "string" ? { name } : {}),
    ...(typeof version === "string" ? { version } : {}),
  };
}

function repositoriesOf(folder: string, parent: Folder | undefined): readonly string[] {
  const above = parent?.repositories ?? [];
  // Above the topmost readable folder, git may still find a repository.
  const mayExtend = parent !== undefined && !parent.isReadable;
  return mayExtend || exists(join(folder, ".git")) ? [folder, ...above] : above;
}
