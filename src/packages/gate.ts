/**
 * Judges every import of our loader and of packages, by the real file that would be loaded: without
 * trust in the project's code, it has to lie in Deno's cache; with it, in the readable folders.
 */

import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { orElse, rawMessage, RefraktError } from "../errors.ts";
import { quotedName } from "../plain_text.ts";
import { repositoryOf } from "../io/git_settings.ts";
import { exists, isInside, realPathOf } from "../io/paths.ts";
import { isReadable } from "../io/permissions.ts";
import { readIfExists } from "../io/read.ts";
import { currentRoot } from "./stand_in_call.ts";
import { importPolicy, isOwn, type WantedModule } from "./replaced_modules.ts";

/**
 * A file of a version, or a registry's metadata of a package. Before it stands the registry's
 * folder, whose path is that of its address: `mirror.example/repository/npm`.
 */
const CACHED =
  /^(.*[\\/]npm[\\/])((?:[^@\\/][^\\/]*[\\/])*?[^@\\/][^\\/]*)[\\/]((?:@[^\\/]+[\\/])?[^@\\/][^\\/]*)[\\/](?:(\d+\.\d+\.\d+[^\\/]*)[\\/]|registry\.json$)/;

/**
 * Returns the package of a path in a cache, by its form, and the folder of the cache with a trailing
 * slash; `undefined` for other paths.
 */
export function cachedPackage(path: string) {
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

/** Whether a path lies in a cache of Deno. */
function isCached(path: string): boolean {
  return caches.has(cachedPackage(path)?.cache ?? "");
}

/** Why modules are not loaded, and what to do; by default, how to trust the project's code. */
const REFUSALS = {
  isElsewhere: { reason: "is not in Deno's cache", hint: undefined },
  isInProject: {
    reason: "is in a cache of Deno's that lies in the project, which could fill it",
    hint: "Set DENO_DIR to a folder outside the project: see docs/running.md.",
  },
  isRedirected: {
    reason: "is of a registry that the project's .npmrc names",
    hint: "Start the server with --no-config. If that is so, the registry is your own, too: take " +
      "it out of the project's .npmrc, as the server cannot tell the two apart.",
  },
  isUnreadable: {
    reason: "lies outside the folders that the server may read",
    hint: "If it was installed there, as in a workspace or pnpm's store, add its folder to " +
      "--allow-read: doctor prints the command.",
  },
};

/** Why a file of a cache may not be npm's; `undefined` if it is npm's. */
function cacheProblem(path: string) {
  // A cache in the project is readable; for others, failing system calls are saved.
  if (isReadable(path)) {
    const project = repositoryOf(currentRoot()) ?? currentRoot();
    const paths = [path, orElse(() => realPathOf(path), path)];
    if (paths.some((each) => isInside(project, each))) return REFUSALS.isInProject;
  }
  const { registry = PUBLIC, name = "" } = cachedPackage(path) ?? {};
  return registry === PUBLIC || !isRedirected(name, registry) ? undefined : REFUSALS.isRedirected;
}

/** The public registry's folder in Deno's cache. */
const PUBLIC = "registry.npmjs.org";

/**
 * Whether an `.npmrc` beside a `deno.json` names a registry for a package: for all, or for its scope.
 * Deno reads no other `.npmrc` of a project, and none with `--no-config`: then the registry is of the
 * user's own settings. Beside a `package.json`, Deno takes packages from `node_modules`.
 */
function isRedirected(name: string, registry: string): boolean {
  const cwd = Deno.cwd();
  if (!["deno.json", "deno.jsonc"].some((file) => exists(join(cwd, file)))) return false;
  try {
    const text = readIfExists(cwd, join(cwd, ".npmrc"), "manifest") ?? "";
    const registries = text.matchAll(/^\s*(?:(@[^\s:=]+):)?registry\s*=(.*)$/gm);
    return [...registries].some(([, scope, address = ""]) =>
      (scope === undefined || name.startsWith(`${scope}/`)) && mayBe(registry, address.trim())
    );
  } catch {
    return true;
  }
}

/** Whether a folder of Deno's cache may be that of a registry; if its address is plain, its parts tell. */
function mayBe(folder: string, address: string): boolean {
  if (!/^https?:\/\/[\w.-]+(?::\d+)?(?:\/[\w.-]+)*\/?$/.test(address)) return true;
  const parts = address.toLowerCase().split(/[:/]/);
  return folder.toLowerCase().split(/[\\/]/).every((part) => parts.includes(part));
}

/**
 * Decides whether a module may be loaded.
 *
 * @throws {RefraktError} `CODE_NOT_TRUSTED`, with the file.
 */
export function mayLoad({ url, specifier, parent }: WantedModule): void {
  const isNpm = url.startsWith("npm:");
  const file = isNpm ? resolvedFile(url) : url.startsWith("file:") ? new URL(url) : undefined;
  // Once a package is downloaded, its own imports are judged. A binary has only embedded ones.
  if (file === undefined || Deno.build.standalone) return;
  const path = fileURLToPath(file);
  // Deno itself resolves the names that our own code imports.
  if (isOwn(parent) && !specifier.startsWith("file:")) noteCache(path);
  // A program that embeds the server imports modules of its own.
  const importer = parent.startsWith("file:") ? fileURLToPath(parent) : "";
  if (!importPolicy.ownsProcess && !isOwn(parent) && !isCached(importer)) return;
  requireTrusted(path, importPolicy.trustsProject);
}

/** @throws {RefraktError} `CODE_NOT_TRUSTED` for a file or folder whose code may not run. */
export function requireTrusted(path: string, isProjectTrusted: boolean): void {
  if (isCached(path)) {
    const problem = isProjectTrusted ? undefined : cacheProblem(path);
    if (problem !== undefined) throw moduleRefusal(path, problem);
  } else if (isProjectTrusted) {
    // Deno requires no permission to import from node_modules, and follows links there.
    const real = orElse(() => realPathOf(path), path);
    if (!isReadable(real)) throw moduleRefusal(real, REFUSALS.isUnreadable);
  } else throw moduleRefusal(path, REFUSALS.isElsewhere);
}

const MODULE = "A module";

function moduleRefusal(
  path: string,
  { reason, hint = "" }: (typeof REFUSALS)[keyof typeof REFUSALS],
): RefraktError {
  return notTrusted(MODULE, `${quotedName(path)} ${reason}`, hint);
}

/** The error for a package whose code, or what it imports, is not loaded. */
export function notTrusted(name: string, reason: string, hint: string): RefraktError {
  return new RefraktError("CODE_NOT_TRUSTED", `${name} was not loaded: ${reason}`, {
    hint,
    data: { package: name },
  });
}

/**
 * The refusal that made an import fail, by its message: static imports lose the class.
 *
 * @param name The package that needs the module.
 * @param howToTrust The hint for refusals without one.
 */
export function refusalIn(
  error: unknown,
  name = MODULE,
  howToTrust = "",
): RefraktError | undefined {
  const raw = rawMessage(error);
  for (const { reason, hint = howToTrust } of Object.values(REFUSALS)) {
    const refused = new RegExp(`${MODULE} was not loaded: (".*" ${RegExp.escape(reason)})`);
    const [, why] = refused.exec(raw) ?? [];
    if (why !== undefined) return notTrusted(name, why, hint);
  }
  return error instanceof RefraktError && error.code === "CODE_NOT_TRUSTED" ? error : undefined;
}
