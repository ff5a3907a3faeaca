/**
 * Reads dependencies from `package.json`, the manifests of workspace members, and
 * `package-lock.json`.
 */

import { join } from "node:path";
import { orElse } from "../errors.ts";
import { asObject, isObject } from "../io/json.ts";
import { statIfExists } from "../io/files.ts";
import { exists } from "../io/paths.ts";
import { readIfExists } from "../io/read.ts";
import { noteRead, recordInto } from "../io/reads.ts";
import { fileStamp } from "../io/stamp.ts";
import { foldersBelow } from "../project/below.ts";
import type { Project } from "../project/project.ts";
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
  /** All declared dependencies, those of the root first. */
  readonly declared: readonly Declared[];
  /** Entries of `overrides`, `pnpm.overrides` and `resolutions`, by package name. */
  readonly overrides: readonly Declared[];
  /** The version in `package-lock.json`, if any. */
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
  const root = readManifest(cwd, "package.json");
  const isWorkspace = root?.["workspaces"] !== undefined ||
    statIfExists(join(cwd, "pnpm-workspace.yaml")) !== null;
  // Folders with a manifest near the root, whether or not the workspace lists them.
  const members = !isWorkspace ? [] : [...foldersBelow(cwd)].filter((folder) => {
    noteRead(`${join(cwd, folder)}/`);
    return exists(join(cwd, folder, "package.json"));
  });
  const manifests = ["", ...members].map((folder) => join(folder, "package.json"));
  const overrides = [root?.["overrides"], asObject(root?.["pnpm"])["overrides"]]
    .concat(root?.["resolutions"]).flatMap((each) => overridesIn(each));
  let lock: Manifest | undefined;
  return {
    members,
    declared: manifests.flatMap((path) => dependenciesIn(readManifest(cwd, path), path)),
    overrides,
    locked: (name) => {
      const find = () => readManifest(cwd, "package-lock.json", "lock");
      lock ??= recordInto(reads, find) ?? {};
      return lockedIn(lock, name);
    },
  };
}

/** What was read, by path, with the file's stamp. */
const read = new Map<string, { readonly stamp: string; readonly value: Manifest | undefined }>();
const MOST_READ = 500;

/** Returns a JSON object, read again if it changed; `undefined` if it is missing or unreadable. */
export function readManifest(
  cwd: string,
  path: string,
  kind: "manifest" | "lock" = "manifest",
): Manifest | undefined {
  const file = join(cwd, path);
  noteRead(file);
  const stamp = fileStamp(file);
  const same = read.get(file);
  if (same?.stamp === stamp) return same.value;
  // One that is invalid, too large or outside the project counts as missing.
  const parsed: unknown = orElse(() => JSON.parse(readIfExists(cwd, path, kind) ?? ""), undefined);
  const value = isObject(parsed) ? parsed : undefined;
  if (read.size >= MOST_READ) read.clear();
  read.set(file, { stamp, value });
  return value;
}

/** The dependencies that a manifest declares. */
function dependenciesIn(manifest: Manifest | undefined, from: string): Declared[] {
  return GROUPS.flatMap((group) =>
    Object.entries(asObject(manifest?.[group])).flatMap(([name, range]) =>
      typeof range === "string" && isPackageName(name) ? [{ name, range, from }] : []
    )
  );
}

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

/** Flattens overrides: `"a>b@1"` and `{ "a": { "b": … } }` both replace `b`. */
function overridesIn(value: unknown, parent = ""): Declared[] {
  return Object.entries(asObject(value)).flatMap(([key, target]) => {
    const [, name = parent] = /(?:^|[>/])((?:@[^@/>]+\/)?[^@/>]+)(?:@[^/>]*)?$/.exec(key) ?? [];
    if (isObject(target)) return overridesIn(target, name);
    const range = typeof target === "string" ? target : "";
    return [{ name: key === "." ? parent : name, range, from: "package.json" }];
  });
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

/** Removes credentials and the query from a URL. */
export function withoutSecrets(address: string): string {
  return address.replace(/\/\/[^/@]*@/, "//").replace(/\?.*$/s, "").slice(0, 200);
}
