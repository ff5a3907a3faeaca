/** Deno's cache of npm packages: which files are in it, and whether they are npm's. */

import { join } from "node:path";
import { orElse } from "../errors.ts";
import { exists, isInside, realPathOf } from "../io/paths.ts";
import { repositoryOf } from "../io/git_settings.ts";
import { readIfExists } from "../io/read.ts";
import { currentRoot } from "../stand_ins/call.ts";

/** A package in Deno's npm cache. */
export interface CachedPackage {
  /** The folder of the cache, with a trailing slash. */
  readonly cache: string;
  readonly registry: string;
  readonly name: string;
  readonly version: string;
}

/** A file of a version, or what the registry says of a package. */
const CACHED =
  /^(.*[\\/]npm[\\/])([^\\/]+)[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)[\\/](?:(\d+\.\d+\.\d+[^\\/]*)[\\/]|registry\.json$)/;

/** Returns the package of a path in a cache, by its form; `undefined` for other paths. */
export function cachedPackage(path: string): CachedPackage | undefined {
  const [, cache, registry, name, version = ""] = CACHED.exec(path) ?? [];
  if (cache === undefined || /[\\/]node_modules[\\/]/.test(path)) return undefined;
  return {
    cache,
    registry: registry!,
    name: name!.replaceAll("\\", "/"),
    // Deno numbers copies with different peer dependencies.
    version: version.replace(/_\d+$/, ""),
  };
}

/** Returns the file that Deno resolves a specifier to; `undefined` if it would ask the registry. */
export function resolvedFile(specifier: string): URL | undefined {
  const url = orElse(() => import.meta.resolve(specifier), "");
  return url.startsWith("file:") ? new URL(url) : undefined;
}

/** The caches from which Deno has taken packages that our own code imports. */
const caches = new Set<string>();

/** Records the cache that Deno has taken a package from. @param path A file or folder in it. */
export function noteCache(path: string): void {
  const cached = cachedPackage(path);
  if (cached !== undefined) caches.add(cached.cache);
}

/** Whether a file is in Deno's cache, by its name. */
export function isCached(path: string): boolean {
  return caches.has(cachedPackage(path)?.cache ?? "");
}

/** Why a file of a cache may not be npm's, and what to do; `undefined` if it is npm's. */
export function cacheProblem(path: string): { reason: string; hint: string } | undefined {
  const project = repositoryOf(currentRoot()) ?? currentRoot();
  const paths = [path, orElse(() => realPathOf(path), path)];
  if (paths.some((each) => isInside(project, each))) {
    return {
      reason: "Deno's cache lies in the project, which could fill it",
      hint: "Set DENO_DIR to a folder outside the project: see docs/ci.md.",
    };
  }
  const { registry = PUBLIC, name = "" } = cachedPackage(path) ?? {};
  if (registry === PUBLIC || !isRedirected(name)) return undefined;
  return {
    reason: `the project's .npmrc names its registry, ${registry}`,
    hint: "Start the server with --no-config.",
  };
}

/** The public registry's folder in Deno's cache. */
const PUBLIC = "registry.npmjs.org";

/**
 * Whether an `.npmrc` beside a `deno.json` redirects a package: all packages, or those of its scope.
 * Deno reads no other `.npmrc` of a project, and none with `--no-config`: then the registry is of the
 * user's own settings. Beside a `package.json`, Deno takes packages from `node_modules`.
 */
function isRedirected(name: string): boolean {
  const cwd = Deno.cwd();
  if (!["deno.json", "deno.jsonc"].some((file) => exists(join(cwd, file)))) return false;
  try {
    const text = readIfExists(cwd, join(cwd, ".npmrc"), "manifest") ?? "";
    const registries = text.matchAll(/^\s*(?:(@[^\s:=]+):)?registry\s*=/gm);
    return [...registries].some(([, scope]) => scope === undefined || name.startsWith(`${scope}/`));
  } catch {
    return true;
  }
}
