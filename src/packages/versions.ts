/**
 * Which version of a package the project has.
 *
 * @module
 */

import { join } from "node:path";
import { RefraktError } from "../errors.ts";
import type { Project, Warning } from "../project/project.ts";
import { readTextIfExists } from "../sandbox/files.ts";
import { type CarriedVersions, carriedVersions } from "./embedded.ts";
import { LOCK_FILES } from "./lockfiles.ts";
import { declaredDependencies, readManifest, workspaceMembers } from "./manifests.ts";
import {
  DEFAULT_VERSION,
  FIRST_PARTY_SCOPE,
  isExactVersion,
  isPackageName,
  isRegistryRange,
  MARKDOC_PACKAGE,
  MARKDOC_VERSION,
} from "./names.ts";

/** A package and the version of it that is to be loaded. */
export interface PackageVersion {
  /** The package's name. */
  readonly name: string;
  /** An exact version, or a range that the registry resolves. */
  readonly version: string;
  /**
   * Where the version comes from: `node_modules`, a lock file, a manifest, a workspace,
   * `default`, or `embedded` where a binary carries another one than the project has.
   */
  readonly from: string;
}

/**
 * Finds the version: installed, else locked, else asked for, else our default. A
 * binary loads what it carries, whatever the project has.
 *
 * @param carried What this process carries, if it is a binary; for tests of both.
 * @throws {RefraktError} `PLUGIN_LOAD_FAILED` for what is not a package name, and for
 * a foreign package that the project does not have.
 */
export function packageVersion(
  project: Project,
  name: string,
  carried: CarriedVersions | undefined = carriedVersions(),
): PackageVersion {
  return carriedInstead(projectVersion(project, name), carried);
}

/** The version of a package that a binary can load in place of the one that was found. */
export function carriedInstead(
  found: PackageVersion,
  carried: CarriedVersions | undefined,
): PackageVersion {
  const version = ownValue(carried, found.name);
  if (version === undefined || version === found.version) return found;
  return { name: found.name, version, from: "embedded" };
}

/**
 * Says where a binary carries another version than the project has.
 *
 * @param carried What this process carries, if it is a binary; for tests of both.
 */
export function carriedWarnings(
  project: Project,
  carried: CarriedVersions | undefined = carriedVersions(),
): Warning[] {
  return Object.entries(carried ?? {}).flatMap(([name, version]): Warning[] => {
    // Every package that is carried has a default, so this finds one.
    const found = projectVersion(project, name);
    if (found.from === "default" || mayBe(found.version, version)) return [];
    return [{
      code: "EMBEDDED_VERSION",
      message:
        `This binary carries ${name} ${version}, but the project has ${found.version} (${found.from})`,
      hint: "Run the server from JSR to work with the project's version: " +
        "deno run --no-config … jsr:@refrakt/mcp.",
    }];
  });
}

/** Whether what a project asks for can be the exact version; only the common ranges are read. */
function mayBe(asked: string, version: string): boolean {
  const [, operator, major, minor, patch] = /^([\^~]?)(\d+)\.(\d+)\.(\d+)$/.exec(asked) ?? [];
  if (patch === undefined) return asked === version || asked === "*" || asked === "latest";
  const [a = 0, b = 0, c = 0] = version.split(/[.+-]/).map(Number);
  const sameMinor = a === Number(major) && b === Number(minor);
  if (operator === "") return sameMinor && c === Number(patch);
  if (sameMinor) return c >= Number(patch);
  return operator === "^" && a > 0 && a === Number(major) && b > Number(minor);
}

function projectVersion(project: Project, name: string): PackageVersion {
  if (!isPackageName(name)) {
    throw new RefraktError("PLUGIN_LOAD_FAILED", `Not the name of an npm package: "${name}"`, {
      hint: "Only packages can be loaded as plugins: publish the folder, and name the package.",
    });
  }
  const { cwd } = project;
  return installedVersion(cwd, name) ?? lockedVersion(cwd, name) ?? askedVersion(cwd, name) ??
    defaultVersion(name);
}

function installedVersion(cwd: string, name: string): PackageVersion | undefined {
  const folders = ["", ...workspaceMembers(cwd, readManifest(join(cwd, "package.json")))];
  for (const folder of folders) {
    const path = join(cwd, folder, "node_modules", name, "package.json");
    const version = readManifest(path)?.["version"];
    if (typeof version === "string" && isExactVersion(version)) {
      const from = folder === "" ? "node_modules" : `${folder}/node_modules`;
      return { name, version, from };
    }
  }
  return undefined;
}

function lockedVersion(cwd: string, name: string): PackageVersion | undefined {
  for (const lock of LOCK_FILES) {
    let text: string | null = null;
    try {
      text = readTextIfExists(join(cwd, lock.name));
    } catch {
      // An unreadable lock file pins nothing.
    }
    const version = text === null ? undefined : lock.find(text, name);
    if (version !== undefined) return { name, version, from: lock.name };
  }
  return undefined;
}

function askedVersion(cwd: string, name: string): PackageVersion | undefined {
  for (const declared of declaredDependencies(cwd)) {
    if (declared.name !== name) continue;
    if (isRegistryRange(declared.range)) {
      return { name, version: declared.range.trim(), from: declared.from };
    }
    const member = workspaceVersion(cwd, name);
    if (member !== undefined) return member;
  }
  return workspaceVersion(cwd, name);
}

/** A member of the workspace is loaded at its own version, if that is published. */
function workspaceVersion(cwd: string, name: string): PackageVersion | undefined {
  for (const folder of workspaceMembers(cwd, readManifest(join(cwd, "package.json")))) {
    const manifest = readManifest(join(cwd, folder, "package.json"));
    const version = manifest?.["version"];
    if (manifest?.["name"] === name && typeof version === "string" && isExactVersion(version)) {
      return { name, version, from: `${folder}/package.json` };
    }
  }
  return undefined;
}

function defaultVersion(name: string): PackageVersion {
  if (name === MARKDOC_PACKAGE) return { name, version: MARKDOC_VERSION, from: "default" };
  if (name.startsWith(FIRST_PARTY_SCOPE)) {
    return { name, version: DEFAULT_VERSION, from: "default" };
  }
  throw new RefraktError(
    "PLUGIN_LOAD_FAILED",
    `"${name}" is configured, but the project does not have it`,
    { hint: `Install it (npm install --save-dev ${name}), or take it out of "plugins".` },
  );
}

function ownValue(record: CarriedVersions | undefined, key: string): string | undefined {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}
