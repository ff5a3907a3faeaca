/**
 * Finds out where a file that would be imported really lies: in Deno's cache, installed, in the
 * project, or outside the readable folders.
 */

import { dirname, join } from "node:path";
import { orElse } from "../errors.ts";
import { isInside, realPathOf, shownPath } from "../io/paths.ts";
import { repositoryOf } from "../io/git_settings.ts";
import { isReadable } from "../io/permissions.ts";
import { readIfExists } from "../io/read.ts";
import { type CachedPackage, cachedPackage } from "./installed.ts";
import { endBurst, folderOf, perBurst } from "./folders.ts";
import { trackedReason } from "./tracked.ts";

/** Where a file lies. */
export interface Place {
  /**
   * `free`: Deno downloaded it; `installed`: in a package under `node_modules` that is not tracked by
   * git; `project`: any other file of the readable folders; `outside`: not readable.
   */
  readonly kind: "free" | "installed" | "project" | "outside";
  /** The file as shown: relative to the repository, or absolute. */
  readonly shown: string;
  /** Why it is not installed: `is tracked by git`. */
  readonly reason: string;
  /** Name and version in the manifest of its package, if it has one. */
  readonly name?: string | undefined;
  readonly version?: string | undefined;
  /** The folder to permit, for a package outside the readable folders. */
  readonly permit?: string | undefined;
}

/** The public registry's folder in Deno's cache. */
const PUBLIC_REGISTRY = "registry.npmjs.org";

/** Folders of Deno's cache, from which it has taken packages. */
const caches = new Set<string>();

/** Records the cache that Deno has taken a package from. @param path A file or folder in it. */
export function noteCache(path: string): void {
  const cache = cachedPackage(path)?.cache;
  if (cache === undefined || caches.has(cache)) return;
  caches.add(cache);
  endBurst();
}

/** Returns the place of a file, all links followed. */
export const placeOf: (path: string) => Place = perBurst((path) => {
  const real = realOf(path);
  const cached = cachedPackage(real);
  const isCached = cached !== undefined && caches.has(cached.cache) ||
    Deno.build.standalone && EMBEDDED.test(real) && !isReadable(real);
  const folder = folderOf(dirname(real));
  // Flags may deny a single file.
  const isHidden = !folder.isReadable || !isReadable(real);
  if (isHidden && !isCached) return outside(real);
  const tracked = isHidden
    ? undefined
    : trackedReason(real) ?? (path === real ? undefined : trackedReason(path));
  const found = isCached ? undefined : folder.package;
  const reason = tracked ??
    (isCached
      ? redirected(cached)
      : found === undefined || !folder.isInModules
      ? "is a file of the project, not of an installed package"
      : trackedPackage(found.folder) ?? byDeno(real));
  return {
    kind: reason !== undefined ? "project" : isCached ? "free" : "installed",
    shown: isHidden ? real : shownBelow(shownFrom(""), real),
    reason: reason ?? "",
    name: found?.name,
    version: found?.version,
  };
});

const trackedPackage = perBurst(trackedReason);
const shownFrom = perBurst(() => repositoryOf(Deno.cwd()) ?? Deno.cwd());

function shownBelow(root: string, path: string): string {
  return isInside(root, path) ? shownPath(root, path) : path;
}

/** The packages in a compiled binary. */
const EMBEDDED = /[\\/]\.deno_compile_node_modules[\\/]/;

function realOf(path: string): string {
  // The import reports a broken link.
  return orElse(() => realPathOf(path), path);
}

function outside(real: string): Place {
  // The store of pnpm, else the first `node_modules`, which has all packages of a workspace.
  const [, store] = /^(.*[\\/]pnpm[\\/]store[\\/]v\d+[\\/]links)[\\/]/.exec(real) ?? [];
  const [, modules] = /^(.*?[\\/]node_modules)[\\/]/.exec(real) ?? [];
  const reason = "lies outside the folders that the server may read";
  return { kind: "outside", shown: real, reason, permit: store ?? modules };
}

/** Why a file of the cache is not npm's: the project's `.npmrc` names another registry. */
export function redirected(cached: CachedPackage | undefined): string | undefined {
  if (cached === undefined || cached.registry === PUBLIC_REGISTRY) return undefined;
  return redirects(cached.name) ? `comes from ${cached.registry}, as .npmrc says` : undefined;
}

/**
 * Deno creates this folder, perhaps in this process: without `--no-config` it does if the project's
 * `deno.json` says so, and the project's `.npmrc` chooses the registry.
 */
function byDeno(real: string): string | undefined {
  const [, name] = /\/node_modules\/\.deno\/[^]*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//
    .exec(real.replaceAll("\\", "/")) ?? [];
  return name !== undefined && redirects(name)
    ? "is what Deno downloaded by the project's own settings"
    : undefined;
}

/**
 * Whether an `.npmrc` redirects a package: all packages, or those of its scope. With `--no-config`
 * Deno ignores the project's `.npmrc`; another registry then comes from the user's own settings.
 */
function redirects(name: string): boolean {
  const cwd = Deno.cwd();
  try {
    const text = readIfExists(cwd, join(cwd, ".npmrc"), "manifest") ?? "";
    const registries = text.matchAll(/^\s*(?:(@[^\s:=]+):)?registry\s*=/gm);
    return [...registries].some(([, scope]) => scope === undefined || name.startsWith(`${scope}/`));
  } catch {
    return true;
  }
}
