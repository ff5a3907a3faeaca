/**
 * Reads dependencies from `package.json`, `deno.json`, the manifests of workspace members, and
 * `package-lock.json`.
 */

import { dirname, join } from "node:path";
import { messageOf, orElse } from "../errors.ts";
import { asObject, isObject, parseJsonc, textOf } from "../io/json.ts";
import { foldersBelow, listFolder, statIfExists } from "../io/files.ts";
import { shownPath } from "../io/paths.ts";
import { mayRead } from "../io/permissions.ts";
import { readIfExists } from "../io/read.ts";
import type { Project } from "../plugin/project.ts";
import { FIRST_PARTY_SCOPE, isExactVersion, isPackageName } from "./names.ts";

/** A parsed JSON manifest. */
type Manifest = Readonly<Record<string, unknown>>;

/** A declared dependency. */
export interface Declared {
  /** The package name. */
  readonly name: string;
  /** The range, tag or protocol as written. */
  readonly range: string;
  /** The manifest, relative to the project. */
  readonly from: string;
}

/** Reads the manifests: the dependencies of a project. */
export function packageFacts(project: Project): ReturnType<typeof readFacts> {
  return project.memo("package facts", () => readFacts(project));
}

function readFacts({ cwd }: Project) {
  const isWorkspace = readManifest(cwd)?.["workspaces"] !== undefined ||
    statIfExists(join(cwd, "pnpm-workspace.yaml")) !== null;
  // Folders with a manifest near the root, whether or not the workspace lists them.
  const members = !isWorkspace
    ? []
    : [...foldersBelow(cwd)].filter((folder) =>
      statIfExists(join(cwd, folder, "package.json")) !== null
    );
  const inside = [cwd, ...members.map((folder) => join(cwd, folder))];
  const above = foldersUp(cwd).slice(1);
  return {
    /** Where packages may be installed: the project, its workspace's members, the folders above. */
    folders: [...inside, ...above],
    /** The dependencies of the project and its members, those of the project first. */
    declared: inside.flatMap((folder) => declaredIn(folder, cwd)),
    /** The dependencies of the folders above, the nearest first. */
    declaredAbove: above.flatMap((folder) => declaredIn(folder, cwd)),
    /** What the lock files of the project and of the folders above have, the nearest first. */
    locks: [cwd, ...above].map((folder) => readManifest(folder, "package-lock.json", "lock"))
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
export function readManifest(
  folder: string,
  file = "package.json",
  kind: "manifest" | "lock" = "manifest",
): Manifest | undefined {
  return orElse(() => parsedManifest(folder, file, kind), undefined);
}

/** Why the `package.json` of a folder cannot be read; `undefined` if it can, or is missing. */
export function manifestProblem(folder: string): string | undefined {
  try {
    parsedManifest(folder, "package.json", "manifest");
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

function parsedManifest(folder: string, file: string, kind: "manifest" | "lock") {
  const text = readIfExists(folder, file, kind);
  if (text === null) return undefined;
  const value = parseJsonc(text);
  if (isObject(value)) return value;
  throw new SyntaxError("it is not an object");
}

const GROUPS = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"];

/** An `npm:` specifier: the package and the range. */
const SPECIFIER = /^npm:\/?((?:@[^/@]+\/)?[^/@]+)(?:@([^/]+))?/;

/** The dependencies that the manifests of a folder declare. */
function declaredIn(folder: string, cwd: string): Declared[] {
  const manifest = readManifest(folder);
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
  return packageFacts(project).locks.map((lock) => versionIn(lock, name))
    .find((version) => version !== undefined);
}

/** The exact version in a lock file; `undefined` for a link or an alias. */
function versionIn(lock: Manifest, name: string): string | undefined {
  const packages = asObject(lock["packages"]);
  const path = `node_modules/${name}`;
  const nested = Object.keys(packages).find((each) => each.endsWith(`/${path}`)) ?? "";
  const entry = asObject(packages[path] ?? packages[nested]);
  const version = textOf(entry["version"]) ?? "";
  return (entry["name"] ?? name) === name && isExactVersion(version) ? version : undefined;
}
