/**
 * What the project's manifests ask for: `package.json`, the members of its
 * workspaces, catalogs, and the import maps of `deno.json`.
 *
 * @module
 */

import { join } from "node:path";
import { asObject, isObject } from "../io/json.ts";
import { readIfExists } from "../io/read.ts";
import { statIfExists } from "../io/files.ts";
import { parseJsonc } from "./jsonc.ts";
import { yamlLines } from "./lines.ts";
import { FIRST_PARTY_SCOPE, isPackageName } from "./names.ts";
import type { Catalogs } from "./ranges.ts";

/** A manifest: an object of JSON. */
export type Manifest = Readonly<Record<string, unknown>>;

/** One dependency, as a manifest has it. */
export interface Declared {
  /** The package. */
  readonly name: string;
  /** The range, tag or protocol, as written. */
  readonly range: string;
  /** The manifest that says so, relative to the project. */
  readonly from: string;
}

const GROUPS = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"];

/** A JSON object from a file of the project, which may hold comments; `undefined` where there is none. */
export function readManifest(cwd: string, path: string): Manifest | undefined {
  try {
    const text = readIfExists(cwd, path, "manifest");
    if (text === null) return undefined;
    const value: unknown = /(?:^|\/)deno\.jsonc?$/.test(path) ? parseJsonc(text) : JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    // A manifest that is broken, too large or outside of the project counts as missing.
    return undefined;
  }
}

/** The text of a workspace file, or nothing. */
export function readWorkspaceFile(cwd: string, name: string): string {
  try {
    return readIfExists(cwd, name, "manifest") ?? "";
  } catch {
    return "";
  }
}

/**
 * Everything that manifests depend on; the root's come first.
 *
 * @param manifests The root's manifest and those of the members, by folder.
 * @param denoManifests `deno.json` and `deno.jsonc`, by name.
 */
export function dependenciesOf(
  manifests: ReadonlyMap<string, Manifest>,
  denoManifests: ReadonlyMap<string, Manifest>,
): Declared[] {
  const declared: Declared[] = [];
  for (const [folder, manifest] of manifests) {
    const from = folder === "" ? "package.json" : `${folder}/package.json`;
    for (const group of GROUPS) {
      for (const [name, range] of entriesOf(manifest[group])) {
        if (typeof range === "string" && isPackageName(name)) declared.push({ name, range, from });
      }
    }
  }
  for (const [from, manifest] of denoManifests) {
    for (const [name, target] of entriesOf(manifest["imports"])) {
      if (typeof target !== "string") continue;
      const found = parseNpmSpecifier(target);
      if (found !== undefined) declared.push({ ...found, from });
      // A module of the project or of another registry under this name.
      else if (isPackageName(name)) declared.push({ name, range: target, from });
    }
  }
  return declared;
}

/** The first-party packages that lie in `node_modules`, whoever asked for them. */
export function installedFirstParty(cwd: string): string[] {
  try {
    return [...Deno.readDirSync(join(cwd, "node_modules", FIRST_PARTY_SCOPE))]
      .filter((entry) => entry.isDirectory || entry.isSymlink)
      .map((entry) => FIRST_PARTY_SCOPE + entry.name)
      .filter(isPackageName)
      .sort();
  } catch {
    return [];
  }
}

/**
 * The folders of a workspace's members, by patterns with `*` and `**` in them.
 *
 * @param root The root's manifest.
 * @param pnpmWorkspace The text of `pnpm-workspace.yaml`.
 */
export function workspaceMembers(
  cwd: string,
  root: Manifest | undefined,
  pnpmWorkspace: string,
): string[] {
  const declared = root?.["workspaces"];
  const patterns: unknown[] = Array.isArray(declared)
    ? declared
    : isObject(declared) && Array.isArray(declared["packages"])
    ? declared["packages"]
    : pnpmPatterns(pnpmWorkspace);
  const members = new Set<string>();
  const list = folderLister(cwd);
  for (const pattern of patterns) {
    if (typeof pattern !== "string") continue;
    const excluded = pattern.startsWith("!");
    for (const folder of foldersOf(excluded ? pattern.slice(1) : pattern, list)) {
      if (excluded) members.delete(folder);
      else if (isMember(cwd, folder)) members.add(folder);
    }
  }
  return [...members].sort();
}

/** How many folders a pattern may stand for; larger workspaces name their members more closely. */
const MOST_FOLDERS = 2000;

/** How often folders are listed for all patterns together: what is left of them means nothing. */
const MOST_LISTINGS = 50_000;

/** Lists the folders in a folder. */
type ListFolders = (parent: string) => readonly string[];

function folderLister(cwd: string): ListFolders {
  const known = new Map<string, readonly string[]>();
  let left = MOST_LISTINGS;
  return (parent) => {
    if (left-- <= 0) return [];
    const below = known.get(parent) ?? subfolders(cwd, parent);
    known.set(parent, below);
    return below;
  };
}

function foldersOf(pattern: string, list: ListFolders): string[] {
  const parts = pattern.replace(/^\.\//, "").split("/").filter((part) => part !== "");
  let folders = new Set([""]);
  for (const part of parts) {
    if (part === "..") return [];
    const next = new Set<string>();
    for (const folder of folders) {
      if (next.size >= MOST_FOLDERS) break;
      const below = part === "**"
        ? [folder, ...deepFolders(folder, list)]
        : part.includes("*")
        ? list(folder).filter((path) => fits(path.slice(path.lastIndexOf("/") + 1), part))
        : [folder === "" ? part : `${folder}/${part}`];
      for (const each of below) next.add(each);
    }
    folders = next;
  }
  return [...folders].slice(0, MOST_FOLDERS).filter((folder) => folder !== "");
}

/** Whether a name fits a pattern with `*` in it. */
function fits(name: string, pattern: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const [index, part] of rest.entries()) {
    if (index === rest.length - 1) return name.length - part.length >= at && name.endsWith(part);
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at === name.length;
}

function deepFolders(parent: string, list: ListFolders): string[] {
  const found: string[] = [];
  const waiting = [parent];
  while (waiting.length > 0 && found.length < MOST_FOLDERS) {
    const below = list(waiting.pop()!);
    found.push(...below);
    waiting.push(...below);
  }
  return found;
}

function subfolders(cwd: string, parent: string): string[] {
  try {
    return [...Deno.readDirSync(join(cwd, parent))]
      .filter(({ isDirectory, name }) =>
        isDirectory && name !== "node_modules" && !name.startsWith(".")
      )
      .map((entry) => parent === "" ? entry.name : `${parent}/${entry.name}`);
  } catch {
    return [];
  }
}

function isMember(cwd: string, folder: string): boolean {
  try {
    return statIfExists(join(cwd, folder, "package.json"))?.isFile === true;
  } catch {
    return false;
  }
}

function pnpmPatterns(text: string): string[] {
  const patterns: string[] = [];
  let section = "";
  for (const { indent, key, value } of yamlLines(text)) {
    if (key === "-" && section === "packages") patterns.push(value);
    else if (indent === 0) section = key;
  }
  return patterns;
}

/**
 * The catalogs of pnpm's and yarn's workspace files and of bun's manifests.
 *
 * @param root The root's manifest.
 * @param files The texts of `pnpm-workspace.yaml` and `.yarnrc.yml`.
 */
export function readCatalogs(root: Manifest | undefined, files: readonly string[]): Catalogs {
  const catalogs = new Map<string, Map<string, string>>();
  const add = (catalog: string, name: string, range: unknown) => {
    if (typeof range !== "string" || range === "") return;
    if (!catalogs.has(catalog)) catalogs.set(catalog, new Map());
    catalogs.get(catalog)!.set(name, range);
  };
  for (const text of files) {
    let [section, catalog] = ["", ""];
    for (const { indent, key, value } of yamlLines(text)) {
      if (indent === 0) section = key;
      else if (section === "catalog") add("default", key, value);
      else if (section === "catalogs" && value === "") catalog = key;
      else if (section === "catalogs") add(catalog, key, value);
    }
  }
  for (const holder of [root, root?.["workspaces"]]) {
    const { catalog, catalogs: named } = asObject(holder);
    for (const [name, range] of entriesOf(catalog)) add("default", name, range);
    for (const [key, ranges] of entriesOf(named)) {
      for (const [name, range] of entriesOf(ranges)) add(key, name, range);
    }
  }
  return catalogs;
}

/** The names of the packages in the folders that `deno.json` links to; `undefined` for one outside. */
export function linkedNames(cwd: string, deno: Manifest): (string | undefined)[] {
  const folders = [deno["links"], deno["patch"]].flatMap((each) => Array.isArray(each) ? each : []);
  return folders.filter((each) => typeof each === "string").map((folder) => {
    const manifest = readManifest(cwd, join(folder, "package.json")) ??
      readManifest(cwd, join(folder, "deno.json"));
    return typeof manifest?.["name"] === "string" ? manifest["name"] : undefined;
  });
}

function parseNpmSpecifier(specifier: string): { name: string; range: string } | undefined {
  const match = /^npm:\/?(@[^/@]+\/[^/@]+|[^/@]+)(?:@([^/]+))?(?:\/.*)?$/.exec(specifier);
  if (match === null || !isPackageName(match[1]!)) return undefined;
  return { name: match[1]!, range: match[2] ?? "*" };
}

/** The entries of an object; none of anything else. */
export function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === "object" && value !== null ? Object.entries(value) : [];
}
