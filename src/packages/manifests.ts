/**
 * The dependencies that a project declares in `package.json`, `deno.json`, the manifests of
 * workspace members, and `package-lock.json`; and the copies that it has installed. Their files are
 * read as data; their code is imported only where the project's code is trusted, and Deno resolves
 * packages in `node_modules` (`--node-modules-dir=manual`).
 */

import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { messageOf, orElse, rawMessage } from "../errors.ts";
import { DENO_MESSAGES } from "../io/deno_messages.ts";
import { foldersBelow, listFolder, statIfExists } from "../io/files.ts";
import { asObject, isObject, parseJsonc, textOf } from "../io/json.ts";
import { exists, realPathOf, shownPath } from "../io/paths.ts";
import { isReadable, mayRead } from "../io/permissions.ts";
import { readIfExists } from "../io/read.ts";
import { noteRead } from "../io/reads.ts";
import type { Project } from "../plugin/project.ts";
import { cachedPackage } from "./gate.ts";
import { FIRST_PARTY_SCOPE, isExactVersion, isFirstParty, isPackageName } from "./names.ts";
import type { PackageFolder } from "./package.ts";

/** Reads the manifests: the dependencies of a project. */
export function packageFacts(project: Project): ReturnType<typeof readFacts> {
  return project.memo("package facts", () => readFacts(project));
}

function readFacts({ cwd }: Project) {
  const isWorkspace = readManifest(cwd)?.["workspaces"] !== undefined ||
    statIfExists(join(cwd, "pnpm-workspace.yaml")) !== null;
  // Folders with a manifest near the root, whether or not the workspace lists them.
  const below = isWorkspace ? [...foldersBelow(cwd)].map((folder) => join(cwd, folder)) : [];
  const members = below.filter((folder) => statIfExists(join(folder, "package.json")) !== null);
  const inside = [cwd, ...members];
  const above = foldersUp(cwd).slice(1);
  return {
    /** Where packages may be installed: the project, its workspace's members, the folders above. */
    folders: [...inside, ...above],
    /** The dependencies of the project and its members, those of the project first. */
    declared: inside.flatMap((folder) => declaredIn(folder, cwd)),
    /** The dependencies of the folders above, the nearest first. */
    declaredAbove: above.flatMap((folder) => declaredIn(folder, cwd)),
    /** The lock files of the project and of the folders above, the nearest first. */
    locks: [cwd, ...above].map((folder) => readManifest(folder, "package-lock.json"))
      .filter((lock) => lock !== undefined),
  };
}

/** A folder and those above it, as far as they may be read. */
function foldersUp(cwd: string): string[] {
  const folders: string[] = [];
  for (let folder = cwd; mayRead(folder); folder = dirname(folder)) {
    folders.push(folder);
    if (dirname(folder) === folder) break;
  }
  return folders;
}

/** Returns a JSON object; `undefined` if the file is missing or unreadable. */
export function readManifest(folder: string, file?: string) {
  return orElse(() => parsedManifest(folder, file), undefined);
}

/** Why the `package.json` of a folder cannot be read; `undefined` if it can, or is missing. */
export function manifestProblem(folder: string): string | undefined {
  try {
    parsedManifest(folder);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

function parsedManifest(folder: string, file = "package.json") {
  const text = readIfExists(folder, file, file === "package-lock.json" ? "lock" : "manifest");
  if (text === null) return undefined;
  const value = parseJsonc(text);
  if (isObject(value)) return value;
  throw new SyntaxError("it is not an object");
}

const DEPENDENCY_GROUPS = [
  "dependencies",
  "devDependencies",
  "optionalDependencies",
  "peerDependencies",
];

/** An `npm:` specifier: the package and the range. */
const NPM_SPECIFIER = /^npm:\/?((?:@[^/@]+\/)?[^/@]+)(?:@([^/]+))?/;

/** The dependencies that the manifests of a folder declare: the ranges as written, and where. */
function declaredIn(folder: string, cwd: string) {
  const manifest = readManifest(folder);
  const npm = DEPENDENCY_GROUPS.flatMap((group) => Object.entries(asObject(manifest?.[group])));
  const declared = npm.map(([name, range]) => ({ name, range, file: "package.json" }));
  for (const file of ["deno.json", "deno.jsonc"]) {
    const imports = Object.values(asObject(readManifest(folder, file)?.["imports"]));
    for (const target of imports) {
      const [, name, range = "*"] = NPM_SPECIFIER.exec(textOf(target) ?? "") ?? [];
      if (name !== undefined) declared.push({ name, range, file });
    }
  }
  return declared.flatMap(({ name, range, file }) =>
    typeof range === "string" && isPackageName(name)
      ? [{ name, range, from: shownPath(cwd, join(folder, file)) }]
      : []
  );
}

/** The first-party packages in `node_modules`, including undeclared ones. */
export function installedFirstParty(cwd: string): string[] {
  return listFolder(join(cwd, "node_modules", FIRST_PARTY_SCOPE))
    .filter((entry) => entry.isDirectory || entry.isSymlink)
    .map((entry) => FIRST_PARTY_SCOPE + entry.name)
    .filter(isPackageName)
    .sort();
}

/** The version in the nearest lock file that has one. */
export function lockedVersion(project: Project, name: string): string | undefined {
  const path = `node_modules/${name}`;
  for (const lock of packageFacts(project).locks) {
    const packages = asObject(lock["packages"]);
    const nested = Object.keys(packages).find((each) => each.endsWith(`/${path}`)) ?? "";
    const entry = asObject(packages[path] ?? packages[nested]);
    const version = textOf(entry["version"]) ?? "";
    // Neither a link nor an alias.
    if ((entry["name"] ?? name) === name && isExactVersion(version)) return version;
  }
  return undefined;
}

/** The packages that the project's plan and sites load. */
export function neededPackages({ packages, site, config }: Project): string[] {
  const names = [...packages, ...config?.packages ?? [], ...site?.themes ?? []];
  return [...new Set(names)].filter(isPackageName);
}

/** The packages that a project has installed, or may have. */
export function namedPackages(project: Project): string[] {
  const declared = packageFacts(project).declared.map(({ name }) => name);
  const ours = [...declared.filter(isFirstParty), ...installedFirstParty(project.cwd)];
  return [...new Set([...neededPackages(project), ...ours, ...declared])];
}

/**
 * Finds an installed copy, whatever the flags: in the project, in workspace members, in the folders
 * above, then beside refrakt's own packages, whose dependencies may be nested. `from` is the
 * `node_modules`, relative to the project.
 */
export function installedCopy(
  project: Project,
  name: string,
): PackageFolder & { readonly from: string } | undefined {
  const { folders } = packageFacts(project);
  const copies = folders.values().map((folder) => copyIn(folder, name));
  const nested = folders.values().flatMap((folder) =>
    installedFirstParty(folder).map((parent) => {
      const link = join(folder, "node_modules", parent);
      return orElse(() => dependencyOf({ path: realPathOf(link) }, name), undefined);
    })
  );
  const isThere = (copy: PackageFolder | undefined) => copy !== undefined;
  const copy = copies.find(isThere) ?? nested.find(isThere);
  return copy && { ...copy, from: shownPath(project.cwd, copy.link.slice(0, -name.length - 1)) };
}

/** Finds a dependency of a package by its real folder, as Node does. */
export function dependencyOf(
  { path }: Pick<PackageFolder, "path">,
  name: string,
): PackageFolder | undefined {
  for (let at = path;; at = dirname(at)) {
    const copy = copyIn(at, name);
    if (copy !== undefined || dirname(at) === at) return copy;
  }
}

/**
 * Reads the package in the `node_modules` of a folder, links followed; `undefined` if there is none,
 * it is unreadable, or an alias of another package.
 */
function copyIn(folder: string, name: string): PackageFolder | undefined {
  const link = join(folder, "node_modules", name);
  // Recorded by the link, which may lead to another version later.
  noteRead(join(link, "package.json"));
  // A broken link leads nowhere.
  const path = exists(link) ? orElse(() => realPathOf(link), undefined) : undefined;
  const manifest = path !== undefined && isReadable(path) ? readManifest(path) : undefined;
  if (manifest === undefined || (manifest["name"] ?? name) !== name) return undefined;
  const version = textOf(manifest["version"]) ?? "";
  return isExactVersion(version) ? { path: path!, link, version } : undefined;
}

/**
 * Whether packages are those that the project has installed: its code is trusted, and Deno resolves
 * packages in `node_modules`, which is only detectable if some are installed.
 */
export function takesFromDisk(project: Project): boolean {
  const takes = () => namedPackages(project).some(isOnDisk);
  return project.code.trust && project.memo("takes from disk", takes);
}

function isOnDisk(name: string): boolean {
  let file: string | undefined;
  try {
    const url = import.meta.resolve(`npm:${name}@*`);
    file = url.startsWith("file:") ? fileURLToPath(url) : undefined;
  } catch (error) {
    file = DENO_MESSAGES.noExport.exec(rawMessage(error))?.[1];
  }
  // Links of a workspace are followed.
  return file !== undefined && cachedPackage(file) === undefined;
}
