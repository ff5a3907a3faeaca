/**
 * Reads dependencies from `package.json`, `deno.json`, the manifests of workspace members, and
 * `package-lock.json`.
 */

import { dirname, join } from "node:path";
import { messageOf, orElse } from "../errors.ts";
import { asObject, isObject, parseJsonc, textOf } from "../io/json.ts";
import { statIfExists } from "../io/files.ts";
import { exists, shownPath } from "../io/paths.ts";
import { mayRead } from "../io/permissions.ts";
import { readIfExists } from "../io/read.ts";
import { noteRead, recordInto } from "../io/reads.ts";
import { fileStamp } from "../io/stamp.ts";
import { foldersBelow } from "../io/folders_below.ts";
import type { Project } from "../plugin/project.ts";
import { FIRST_PARTY_SCOPE, isExactVersion, isPackageName, isRegistryRange } from "./names.ts";

/** A parsed JSON manifest. */
export type Manifest = Readonly<Record<string, unknown>>;

/** A declared dependency. */
export interface Declared {
  /** The package name. */
  readonly name: string;
  /** The range, tag or protocol as written. */
  readonly range: string;
  /** The manifest, relative to the project. */
  readonly from: string;
}

/** The dependencies of a project. */
export interface PackageFacts {
  /** The folders of workspace members, relative to the project. */
  readonly members: readonly string[];
  /** The dependencies of the project and its members, those of the project first. */
  readonly declared: readonly Declared[];
  /** The nearest declaration of a package, in the folders above too. */
  nearest(name: string): Declared | undefined;
  /** The version in the nearest `package-lock.json` that has one. */
  locked(name: string): string | undefined;
}

const GROUPS = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"];

const known = new WeakMap<Project, PackageFacts>();

/** Reads the manifests, once per snapshot. */
export function packageFacts(project: Project): PackageFacts {
  return known.getOrInsertComputed(
    project,
    () => recordInto(project.reads, () => readFacts(project)),
  );
}

function readFacts({ cwd, reads }: Project): PackageFacts {
  const isWorkspace = readManifest(cwd, "package.json")?.["workspaces"] !== undefined ||
    statIfExists(join(cwd, "pnpm-workspace.yaml")) !== null;
  // Folders with a manifest near the root, whether or not the workspace lists them.
  const members = !isWorkspace ? [] : [...foldersBelow(cwd)].filter((folder) => {
    noteRead(`${join(cwd, folder)}/`);
    return exists(join(cwd, folder, "package.json"));
  });
  const inFolder = (folder: string) => declaredIn(folder, cwd);
  const declared = [cwd, ...members.map((folder) => join(cwd, folder))].flatMap(inFolder);
  const above = foldersUp(cwd).slice(1);
  return {
    members,
    declared,
    nearest: (name) => {
      const find = (all: readonly Declared[]) => all.find((each) => each.name === name);
      return find(declared) ?? recordInto(reads, () => find(above.flatMap(inFolder)));
    },
    locked: (name) =>
      recordInto(reads, () => {
        for (const folder of [cwd, ...above]) {
          const lock = readManifest(folder, "package-lock.json", "lock");
          const version = lock && lockedIn(lock, name);
          if (version !== undefined) return version;
        }
        return undefined;
      }),
  };
}

/** A folder and those above it, as far as they may be read. */
export function foldersUp(cwd: string): string[] {
  const folders: string[] = [];
  for (let folder = cwd; mayRead(folder); folder = dirname(folder)) {
    folders.push(folder);
    if (dirname(folder) === folder) break;
  }
  return folders;
}

/** What was read, by path, with the file's stamp. */
const read = new Map<string, ReadManifest>();
const MOST_READ = 500;

interface ReadManifest {
  readonly stamp: string;
  readonly value?: Manifest;
  /** Why it is no JSON object. */
  readonly problem?: string;
}

/** Returns a JSON object, read again if it changed; `undefined` if it is missing or unreadable. */
export function readManifest(
  cwd: string,
  path: string,
  kind: "manifest" | "lock" = "manifest",
): Manifest | undefined {
  return entryOf(cwd, path, kind).value;
}

/** Why a manifest cannot be read; `undefined` if it can, or is missing. */
export function manifestProblem(cwd: string, path: string): string | undefined {
  return entryOf(cwd, path, "manifest").problem;
}

function entryOf(cwd: string, path: string, kind: "manifest" | "lock"): ReadManifest {
  const file = join(cwd, path);
  noteRead(file);
  const stamp = fileStamp(file);
  const before = read.get(file);
  if (before?.stamp === stamp) return before;
  let entry: ReadManifest;
  try {
    const text = readIfExists(cwd, path, kind);
    const value = text === null ? undefined : parseJsonc(text);
    if (isObject(value)) entry = { stamp, value };
    else entry = text === null ? { stamp } : { stamp, problem: "it is not an object" };
  } catch (error) {
    entry = { stamp, problem: messageOf(error) };
  }
  if (read.size >= MOST_READ) read.clear();
  read.set(file, entry);
  return entry;
}

/** The dependencies that the manifests of a folder declare. */
function declaredIn(folder: string, cwd: string): Declared[] {
  const manifest = readManifest(folder, "package.json");
  const npm = GROUPS.flatMap((group) => Object.entries(asObject(manifest?.[group])));
  const declared = npm.map(([name, range]) => ({ name, range, file: "package.json" }));
  for (const file of ["deno.json", "deno.jsonc"]) {
    const imports = Object.values(asObject(readManifest(folder, file)?.["imports"]));
    for (const target of imports) {
      const [, name, range = "*"] = SPECIFIER.exec(textOf(target) ?? "") ?? [];
      if (name !== undefined) declared.push({ name, range, file });
    }
  }
  return declared.flatMap(({ name, range, file }) =>
    typeof range === "string" && isPackageName(name)
      ? [{ name, range, from: shownPath(cwd, join(folder, file)) }]
      : []
  );
}

/** An `npm:` specifier: the package and the range. */
const SPECIFIER = /^npm:\/?((?:@[^/@]+\/)?[^/@]+)(?:@([^/]+))?/;

/** The first-party packages in `node_modules`, including undeclared ones. */
export function installedFirstParty(cwd: string): string[] {
  const folder = join(cwd, "node_modules", FIRST_PARTY_SCOPE);
  noteRead(`${folder}/`);
  return orElse(() => [...Deno.readDirSync(folder)], [])
    .filter((entry) => entry.isDirectory || entry.isSymlink)
    .map((entry) => FIRST_PARTY_SCOPE + entry.name)
    .filter(isPackageName)
    .sort();
}

/** What a project replaces in packages by overrides and patches, by name. */
export function replacedPackages({ cwd }: Project): string[] {
  const root = readManifest(cwd, "package.json") ?? {};
  const pnpm = asObject(root["pnpm"]);
  const groups = [root["overrides"], root["resolutions"], pnpm["overrides"]]
    .concat(pnpm["patchedDependencies"]);
  const patches = orElse(() => [...Deno.readDirSync(join(cwd, "patches"))], [])
    .flatMap(({ name }) => name.endsWith(".patch") ? name.slice(0, -6).replaceAll("+", "/") : []);
  return [...new Set([...groups.flatMap((each) => Object.keys(asObject(each))), ...patches])];
}

function lockedIn(lock: Manifest, name: string): string | undefined {
  const packages = asObject(lock["packages"]);
  const path = `node_modules/${name}`;
  const key = Object.hasOwn(packages, path)
    ? path
    : Object.keys(packages).find((each) => each.endsWith(`/${path}`));
  const entry = key === undefined
    ? asObject(asObject(lock["dependencies"])[name])
    : asObject(packages[key]);
  const { version } = entry;
  // Skip links, which have no version, and aliases, whose name is another package.
  const isOther = entry["link"] === true || (entry["name"] ?? name) !== name;
  return !isOther && typeof version === "string" && isExactVersion(version) ? version : undefined;
}

/**
 * The versions that a dependency's range allows of the package itself; `undefined` for an alias, a
 * folder, an archive, a repository or a catalog entry.
 */
export function registryRange(name: string, written: string): string | undefined {
  // Yarn writes `npm:^1.0.0` for a plain range.
  const range = written.trim().replace(/^npm:(?=[\d^~<>=*])/, "");
  const own = range === `npm:${name}` ? "" : range.replace(`npm:${name}@`, () => "");
  return own === "" ? "*" : isRegistryRange(own) ? own : undefined;
}
