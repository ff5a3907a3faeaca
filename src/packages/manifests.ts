/**
 * What the project's manifests ask for: `package.json`, the members of its
 * workspaces, and the import maps of `deno.json`.
 *
 * @module
 */

import { join } from "node:path";
import { readTextIfExists } from "../sandbox/files.ts";
import { isInside, realPathOf } from "../sandbox/paths.ts";
import { FIRST_PARTY_SCOPE, isPackageName } from "./names.ts";

/** One dependency, as a manifest has it. */
export interface Declared {
  /** The package. */
  readonly name: string;
  /** The range, tag or protocol, as written. */
  readonly range: string;
  /** The manifest that says so, relative to the project. */
  readonly from: string;
}

/** Everything that the project's manifests depend on; the root's come first. */
export function declaredDependencies(cwd: string): Declared[] {
  const declared: Declared[] = [];
  const root = readManifest(join(cwd, "package.json"));
  for (const folder of ["", ...workspaceMembers(cwd, root)]) {
    const from = folder === "" ? "package.json" : `${folder}/package.json`;
    const manifest = folder === "" ? root : readManifest(join(cwd, folder, "package.json"));
    for (const group of ["dependencies", "devDependencies", "optionalDependencies"]) {
      for (const [name, range] of entriesOf(manifest?.[group])) {
        if (typeof range === "string" && isPackageName(name)) declared.push({ name, range, from });
      }
    }
  }
  for (const file of ["deno.json", "deno.jsonc"]) {
    for (const [, target] of entriesOf(readManifest(join(cwd, file))?.["imports"])) {
      const found = typeof target === "string" ? parseNpmSpecifier(target) : undefined;
      if (found !== undefined) declared.push({ ...found, from: file });
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

/** A JSON object from a file that may hold comments; `undefined` where there is none. */
export function readManifest(path: string): Record<string, unknown> | undefined {
  let text: string | null;
  try {
    text = readTextIfExists(path);
  } catch {
    return undefined;
  }
  if (text === null) return undefined;
  try {
    const value: unknown = JSON.parse(path.endsWith(".jsonc") ? withoutComments(text) : text);
    return typeof value === "object" && value !== null
      ? value as Record<string, unknown>
      : undefined;
  } catch {
    return undefined;
  }
}

/** The folders of a workspace's members, for the patterns that are in use: `packages/*`, `packages/a`. */
export function workspaceMembers(
  cwd: string,
  root: Record<string, unknown> | undefined,
): string[] {
  const declared = root?.["workspaces"];
  const patterns = Array.isArray(declared)
    ? declared
    : Array.isArray((declared as { packages?: unknown } | undefined)?.packages)
    ? (declared as { packages: unknown[] }).packages
    : pnpmPatterns(cwd);
  const members = new Set<string>();
  for (const pattern of patterns) {
    if (typeof pattern !== "string" || pattern.startsWith("!")) continue;
    const clean = pattern.replace(/^\.\//, "").replace(/\/+$/, "");
    const star = /^([^*]*?)\/?\*\*?$/.exec(clean);
    const candidates = star === null ? [clean] : subfolders(cwd, star[1]!);
    for (const folder of candidates) if (isMember(cwd, folder)) members.add(folder);
  }
  return [...members].sort();
}

function subfolders(cwd: string, parent: string): string[] {
  try {
    return [...Deno.readDirSync(join(cwd, parent))]
      .filter((entry) => entry.isDirectory && entry.name !== "node_modules")
      .map((entry) => parent === "" ? entry.name : `${parent}/${entry.name}`);
  } catch {
    return [];
  }
}

function isMember(cwd: string, folder: string): boolean {
  try {
    const path = realPathOf(join(cwd, folder, "package.json"));
    return isInside(cwd, path) && Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

function pnpmPatterns(cwd: string): string[] {
  try {
    const text = readTextIfExists(join(cwd, "pnpm-workspace.yaml")) ?? "";
    return [...text.matchAll(/^\s+-\s+['"]?([^'"\s#]+)['"]?/gm)].map((match) => match[1]!);
  } catch {
    return [];
  }
}

function parseNpmSpecifier(specifier: string): { name: string; range: string } | undefined {
  const match = /^npm:\/?(@[^/@]+\/[^/@]+|[^/@]+)(?:@([^/]+))?(?:\/.*)?$/.exec(specifier);
  if (match === null || !isPackageName(match[1]!)) return undefined;
  return { name: match[1]!, range: match[2] ?? "*" };
}

function withoutComments(text: string): string {
  return text.replace(
    /("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g,
    (_all, string: string | undefined) => string ?? "",
  ).replace(/,(\s*[}\]])/g, "$1");
}

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === "object" && value !== null ? Object.entries(value) : [];
}
