/**
 * Packages in `node_modules`. With `--node-modules-dir=manual` Deno resolves npm packages only
 * there, otherwise only from the registry. Programs can detect the mode only by resolving a specifier.
 */

import { dirname, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { orElse, type RefraktError, saidBy } from "../errors.ts";
import { DENO_MESSAGES } from "../io/deno_messages.ts";
import { isObject, textOf } from "../io/json.ts";
import { statIfExists } from "../io/files.ts";
import { noteRead, recordInto } from "../io/reads.ts";
import { repositoryOf } from "../io/git_settings.ts";
import { exists, isInside, realPathOf, shownPath } from "../io/paths.ts";
import { isReadable } from "../io/permissions.ts";
import { configuredPackages } from "../project/config.ts";
import type { Project } from "../project/project.ts";
import { notLoaded } from "./failures.ts";
import { installedFirstParty, type Manifest, packageFacts, readManifest } from "./manifests.ts";
import { FIRST_PARTY_SCOPE, isExactVersion, isPackageName } from "./names.ts";
import type { PackageFolder, PackageVersion } from "./package.ts";

/** The `exports` conditions that Deno supports. */
const CONDITIONS = ["deno", "node", "import", "module-sync", "default"];

/**
 * Returns the file that Deno resolves an `npm:` specifier to; `undefined` if it would have to ask
 * the registry.
 */
export function resolvedFile(specifier: string): URL | undefined {
  const url = orElse(() => import.meta.resolve(specifier), "");
  return url.startsWith("file:") ? new URL(url) : undefined;
}

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
  if (cache === undefined || isInModules(path)) return undefined;
  return {
    cache,
    registry: registry!,
    name: name!.replaceAll("\\", "/"),
    // Deno numbers copies with different peer dependencies.
    version: version.replace(/_\d+$/, ""),
  };
}

const modes = new WeakMap<Project, boolean>();

/**
 * Whether packages come from the project's `node_modules`; only detectable if some are installed.
 */
export function takesFromDisk(project: Project): boolean {
  const isOnDisk = (name: string) => {
    noteRead(join(project.cwd, "node_modules", name, "package.json"));
    const file = whereItLies(name);
    return file !== undefined && cachedPackage(file) === undefined;
  };
  return modes.getOrInsertComputed(
    project,
    () => recordInto(project.reads, () => candidates(project).some(isOnDisk)),
  );
}

/** Returns a file of a resolved package; if the package has no main export, its manifest. */
export function whereItLies(name: string): string | undefined {
  try {
    const url = import.meta.resolve(`npm:${name}@*`);
    return url.startsWith("file:") ? fileURLToPath(url) : undefined;
  } catch (error) {
    return DENO_MESSAGES.noExport.exec(saidBy(error))?.[1];
  }
}

/**
 * Finds a package in the project's `node_modules`, whatever the flags: from the project, then from
 * workspace members, then from refrakt's own packages, whose dependencies may be nested or in a
 * package manager's store.
 */
export function installedPackage(project: Project, name: string): PackageVersion | undefined {
  const { cwd, code } = project;
  // A workspace has one `node_modules` for all members.
  const root = repositoryOf(cwd) ?? cwd;
  for (const link of foldersOf(project, name)) {
    const from = shownPath(cwd, link.slice(0, -name.length - 1));
    const found = packageAt(link, { name, from, root, code });
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The package that the project's folder is, if it has a name and a version. */
export function ownPackage({ cwd, code, own }: Project): InstalledPackage | undefined {
  const name = own?.name;
  if (name === undefined || !isPackageName(name)) return undefined;
  return packageAt(cwd, { name, from: "package.json", root: cwd, code });
}

/** Reads the package at a path, links followed; `undefined` if there is none or it is unreadable. */
function packageAt(
  link: string,
  found: Pick<InstalledPackage, "name" | "from" | "root" | "code">,
): InstalledPackage | undefined {
  const manifest = manifestAt(link);
  const version = manifest?.["version"];
  if (typeof version !== "string" || !isExactVersion(version)) return undefined;
  const path = realPathOf(link);
  const kind = isInModules(relative(found.root, path))
    ? "node_modules"
    : isInside(found.root, path)
    ? "workspace"
    : "linked";
  const folder = { path, link, version, name: textOf(manifest?.["name"]) ?? "", kind } as const;
  return { ...found, version, folder };
}

function* foldersOf(project: Project, name: string): Generator<string> {
  const { cwd } = project;
  const bases = [cwd, ...packageFacts(project).members.map((folder) => join(cwd, folder))];
  // A member of a workspace may read the `node_modules` of its root, and nothing else above.
  for (let at = cwd; dirname(at) !== at;) bases.push(at = dirname(at));
  for (const base of bases) yield join(base, "node_modules", name);
  for (const base of bases) {
    for (const parent of installedFirstParty(base)) {
      const seen = seenFrom(realPathOf(join(base, "node_modules", parent)), name);
      if (seen !== undefined) yield seen;
    }
  }
}

/** Reads the manifest of a package, which may lie in a readable folder above or in pnpm's store. */
function manifestAt(link: string): Manifest | undefined {
  // The link may lead to another version later.
  noteRead(join(link, "package.json"));
  const folder = exists(link) ? realPathOf(link) : undefined;
  return folder !== undefined && isReadable(folder)
    ? readManifest(folder, "package.json")
    : undefined;
}

/** Whether a path contains `node_modules`. */
export function isInModules(path: string): boolean {
  return path.split(/[\\/]/).includes("node_modules");
}

/** A few packages that are probably installed. */
function candidates(project: Project): string[] {
  const { declared } = packageFacts(project);
  const names = [
    ...installedFirstParty(project.cwd).slice(0, 3),
    ...configuredPackages(project.config).filter(isPackageName).slice(0, 3),
    ...declared.map(({ name }) => name).filter((name) => name.startsWith(FIRST_PARTY_SCOPE)),
    ...declared.map(({ name }) => name),
  ];
  return [...new Set(names)].slice(0, 12);
}

type InstalledPackage = PackageVersion & { readonly root: string; readonly folder: PackageFolder };

/**
 * Finds a module of an installed package.
 *
 * @returns Its URL, or `undefined` if the package has no such export.
 * @throws {RefraktError} `PLUGIN_LOAD_FAILED` for a package that is not built.
 */
export function moduleOnDisk(
  installed: InstalledPackage,
  subpath: string | undefined,
): URL | undefined {
  const { folder } = installed;
  const manifest = readManifest(folder.path, "package.json");
  const target = exportTarget(manifest, subpath);
  if (target === undefined) return undefined;
  // A package without `exports` only has a main module, perhaps without a file extension.
  const isDeclared = isObject(manifest?.["exports"]) || subpath === undefined;
  const files = [target, `${target}.js`, `${target}/index.js`].map((each) =>
    join(folder.path, each)
  );
  const file = files.find((each) => statIfExists(each)?.isFile);
  if (file !== undefined) {
    return isInside(folder.path, realPathOf(file)) ? pathToFileURL(file) : undefined;
  }
  if (isDeclared) throw notBuilt(installed, files[0]!);
  return undefined;
}

/** Resolves a subpath through a manifest's `exports`, or its `main`. */
export function exportTarget(
  manifest: Manifest | undefined,
  subpath: string | undefined,
): string | undefined {
  if (manifest === undefined) return undefined;
  const { exports } = manifest;
  const key = subpath === undefined ? "." : `./${subpath}`;
  if (exports === undefined || exports === null) {
    if (subpath !== undefined) return /\.[cm]?js$/.test(key) ? key : `${key}.js`;
    return typeof manifest["main"] === "string" ? manifest["main"] : "index.js";
  }
  if (!isObject(exports) || !Object.keys(exports).some((each) => each.startsWith("."))) {
    return subpath === undefined ? targetOf(exports) : undefined;
  }
  const map = exports;
  if (Object.hasOwn(map, key)) return targetOf(map[key]);
  for (const [pattern, value] of Object.entries(map)) {
    const star = pattern.indexOf("*");
    if (star < 0 || !key.startsWith(pattern.slice(0, star))) continue;
    const ending = pattern.slice(star + 1);
    if (!key.endsWith(ending)) continue;
    return targetOf(value)?.replaceAll("*", key.slice(star, key.length - ending.length));
  }
  return undefined;
}

function targetOf(value: unknown): string | undefined {
  if (typeof value === "string") return value.startsWith("./") ? value : undefined;
  if (Array.isArray(value)) return value.map(targetOf).find((target) => target !== undefined);
  if (typeof value !== "object" || value === null) return undefined;
  for (const [condition, target] of Object.entries(value)) {
    if (!CONDITIONS.includes(condition)) continue;
    const found = targetOf(target);
    if (found !== undefined) return found;
  }
  return undefined;
}

function notBuilt({ name, root, folder }: InstalledPackage, missing: string): RefraktError {
  return notLoaded(name, {
    message: `${name} is not built: ${shownPath(root, missing)} is missing`,
    hint: folder.kind === "node_modules"
      ? "Install the project again."
      : `Build it first, in ${shownPath(root, folder.path)} (npm run build).`,
    retry: folder.kind !== "node_modules",
  });
}

/**
 * Finds a package from another folder as Node does: in the `node_modules` of each parent.
 *
 * @param folder A real path.
 * @returns The path, links not followed; `undefined` if there is none.
 */
function seenFrom(folder: string, name: string): string | undefined {
  for (let at = folder;; at = dirname(at)) {
    const path = join(at, "node_modules", name);
    if (manifestAt(path) !== undefined) return path;
    if (dirname(at) === at) return undefined;
  }
}

/**
 * Finds a dependency from the folder of an installed package.
 *
 * @returns `undefined` if either of them is not installed.
 */
export function dependencyOf(
  { root, folder, code }: PackageVersion,
  name: string,
): PackageVersion | undefined {
  if (root === undefined || folder === undefined) return undefined;
  const link = seenFrom(folder.path, name);
  return link === undefined
    ? undefined
    : packageAt(link, { name, from: "node_modules", root, code });
}
