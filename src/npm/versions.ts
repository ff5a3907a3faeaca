/**
 * Which version of a package the project has, and where it lies.
 *
 * @module
 */

import { join, relative } from "node:path";
import { RefraktError } from "../errors.ts";
import { isInside, realPathOf, shownPath } from "../io/paths.ts";
import { meantPackage } from "../project/first_party.ts";
import type { Project, Warning } from "../project/project.ts";
import { outOfSight, seenFrom, takesFromDisk } from "./disk.ts";
import { type CarriedVersions, carriedVersions } from "./embedded.ts";
import { type LockedIn, type PackageFacts, packageFacts } from "./facts.ts";
import { installedFirstParty, readManifest } from "./manifests.ts";
import {
  DEFAULT_VERSION,
  FIRST_PARTY_SCOPE,
  isExactVersion,
  isPackageName,
  MARKDOC_PACKAGE,
  MARKDOC_VERSION,
  NEAREST_PARENTS,
} from "./names.ts";
import { parseRange, type Request, takes } from "./ranges.ts";
import { hostIn, isPublicHost } from "./registries.ts";

/** A folder in the project in which a package lies. */
export interface PackageFolder {
  /** The real, absolute path. */
  readonly path: string;
  /** How it comes to lie there: a member of the workspace, a linked folder, or installed. */
  readonly kind: "workspace" | "linked" | "node_modules";
}

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
  /** Its name in the registry, where the project gives it another one. */
  readonly alias?: string;
  /** Where it lies in the project. */
  readonly folder?: PackageFolder;
  /** Modules that see it, where it lies above the project. */
  readonly above?: readonly string[];
  /** The checksum that the lock file has of this version. */
  readonly integrity?: string;
  /** The project's folder, where this process takes packages from its `node_modules`. */
  readonly root?: string;
  /** How long its download may take, in milliseconds; the default of the command line without. */
  readonly timeoutMs?: number;
  /** Why the package that the public registry has by this name must not be taken. */
  readonly notFromRegistry?: string;
}

/**
 * Finds the version: on disk, else locked, else asked for, else our default. A
 * binary loads what it carries, whatever the project has.
 *
 * @param carried What this process carries, if it is a binary; for tests of both.
 * @throws {RefraktError} `PLUGIN_LOAD_FAILED` for what is not a package name, for
 * a foreign package that the project does not have, and for what cannot be resolved.
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
export async function carriedWarnings(
  project: Project,
  carried: CarriedVersions | undefined = carriedVersions(),
): Promise<Warning[]> {
  const warnings: Warning[] = [];
  for (const [name, version] of Object.entries(carried ?? {})) {
    const found = projectVersion(project, name);
    if (found.from === "default" || await takes(found.version, version)) continue;
    warnings.push({
      code: "EMBEDDED_VERSION",
      message:
        `This binary carries ${name} ${version}, but the project has ${found.version} (${found.from})`,
      hint: "Run the server from JSR to work with the project's version: " +
        "deno run … jsr:@refrakt/mcp.",
    });
  }
  return warnings;
}

const found = new WeakMap<Project, Map<string, PackageVersion | RefraktError>>();

/** A package that the project says nothing of, found by way of another one that it has. */
export function besideVersion(
  { root, timeoutMs }: PackageVersion,
  found: Pick<PackageVersion, "name" | "version" | "from">,
): PackageVersion {
  return {
    ...found,
    ...(root === undefined ? {} : { root }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  };
}

/** Looks once for each snapshot. */
function projectVersion(project: Project, name: string): PackageVersion {
  let versions = found.get(project);
  if (versions === undefined) found.set(project, versions = new Map());
  let version = versions.get(name);
  if (version === undefined) {
    try {
      version = { ...findVersion(project, name), timeoutMs: project.code.timeoutMs };
    } catch (error) {
      if (!(error instanceof RefraktError)) throw error;
      version = error;
    }
    versions.set(name, version);
  }
  if (version instanceof RefraktError) throw version;
  return version;
}

function findVersion(project: Project, name: string): PackageVersion {
  if (!isPackageName(name)) {
    throw new RefraktError("PLUGIN_LOAD_FAILED", `Not the name of an npm package: "${name}"`, {
      hint: "Only packages can be loaded as plugins: publish the folder, and name the package.",
    });
  }
  const { cwd } = project;
  const facts = packageFacts(project);
  const installed = onDisk(cwd, facts, name);
  // What is on disk is taken as it is; the lock file, which may be large, has nothing to add.
  if (takesFromDisk(project)) {
    return { ...installed ?? outOfSight(project, name) ?? notOnDisk(facts, name), root: cwd };
  }
  const version = (installed && pinned(facts, installed)) ?? notOnDisk(facts, name);
  const reason = version.notFromRegistry ?? foreignRegistry(facts, version);
  return reason === undefined ? version : { ...version, notFromRegistry: reason };
}

function onDisk(cwd: string, facts: PackageFacts, name: string): PackageVersion | undefined {
  const memberFolder = facts.members.find((folder) => facts.manifest(folder)?.["name"] === name);
  for (const folder of foldersOf(cwd, facts, name)) {
    const found = packageIn(cwd, facts, name, folder);
    if (found !== undefined) return found;
  }
  if (memberFolder === undefined) return undefined;
  const found = packageIn(cwd, facts, name, memberFolder);
  return found && { ...found, from: `${memberFolder}/package.json` };
}

/** The package in a folder, given relative to the project; `undefined` where none lies there. */
function packageIn(
  cwd: string,
  facts: PackageFacts,
  name: string,
  folder: string,
): PackageVersion | undefined {
  const version = readManifest(cwd, `${folder}/package.json`)?.["version"];
  if (typeof version !== "string" || !isExactVersion(version)) return undefined;
  const path = realPathOf(join(cwd, folder));
  const shown = shownPath(cwd, path);
  const kind = /(?:^|\/)node_modules\//.test(shown)
    ? "node_modules"
    : isMember(cwd, facts, path)
    ? "workspace"
    : "linked";
  return {
    name,
    version,
    from: folder.slice(0, folder.lastIndexOf("node_modules") + "node_modules".length),
    ...aliasOf(facts, name),
    folder: { path, kind },
    ...(kind === "node_modules" || name.startsWith(FIRST_PARTY_SCOPE) ? {} : {
      notFromRegistry: `it lies in the project, in ${shown}, and the public registry's ` +
        "package of that name is another one",
    }),
  };
}

function notOnDisk(facts: PackageFacts, name: string): PackageVersion {
  return inLock(facts, name) ?? askedFor(facts, name) ?? byDefault(name);
}

/** An installed version, with the checksum that the lock file has of it. */
function pinned(facts: PackageFacts, installed: PackageVersion): PackageVersion {
  if (installed.folder?.kind !== "node_modules") return installed;
  const { version, integrity } = facts.locked(installed.name) ?? {};
  return integrity === undefined || version !== installed.version
    ? installed
    : { ...installed, integrity };
}

/**
 * Where a package may lie, as folders relative to the project: where the project's root and
 * then its members see it, at last where refrakt's own packages do, because what only they
 * depend on may be nested or in a package manager's own store.
 */
function* foldersOf(cwd: string, facts: PackageFacts, name: string): Generator<string> {
  const bases = facts.installedIn.map((folder) => folder === "" ? "" : `${folder}/`);
  for (const base of bases) yield `${base}node_modules/${name}`;
  const installed = bases.includes("") ? installedFirstParty(cwd) : [];
  const nearest = NEAREST_PARENTS.flatMap((parent) => bases.map((base) => [base, parent] as const));
  for (const [base, parent] of [...nearest, ...installed.map((each) => ["", each] as const)]) {
    const folder = `${base}node_modules/${parent}`;
    if (readManifest(cwd, `${folder}/package.json`) === undefined) continue;
    const path = seenFrom(realPathOf(join(cwd, folder)), cwd, name);
    if (path !== undefined) yield relative(cwd, path);
  }
}

function isMember(cwd: string, facts: PackageFacts, path: string): boolean {
  return facts.members.some((folder) => realPathOf(join(cwd, folder)) === path) &&
    isInside(cwd, path);
}

function inLock(facts: PackageFacts, name: string): PackageVersion | undefined {
  const locked = facts.locked(name);
  if (locked === undefined) return undefined;
  if (locked.version === undefined) {
    if (!isFolder(locked)) return undefined;
    throw notRegistry(name, `${locked.file} says that it is ${hidden(locked.resolved!)}`);
  }
  const { version, file, integrity } = locked;
  return {
    name,
    version,
    from: file,
    ...aliasOf(facts, name),
    ...(integrity === undefined ? {} : { integrity }),
  };
}

function isFolder({ resolved }: LockedIn): boolean {
  return resolved !== undefined && !/^https?:/.test(resolved);
}

/** An address in a lock file or a manifest, without the secrets that may stand in it. */
function hidden(address: string): string {
  return address.replace(/\/\/[^/@]*@/, "//").replace(/\?.*$/s, "").slice(0, 200);
}

function askedFor(facts: PackageFacts, name: string): PackageVersion | undefined {
  const declared = facts.asked(name);
  if (declared === undefined) return undefined;
  const request = parseRange(name, declared.range, facts.catalogs);
  if (request.kind === "registry") {
    const { name: target, range } = request;
    return {
      name,
      version: range,
      from: declared.from,
      ...(target === name ? {} : { alias: target }),
    };
  }
  const range = hidden(declared.range);
  throw notRegistry(name, `${declared.from} asks for "${range}": ${reasonOf(request)}`);
}

function reasonOf(request: Exclude<Request, { kind: "registry" }>): string {
  if (request.kind === "disk") return "a folder, which is not installed";
  if (request.kind === "elsewhere") return `${request.what}, which cannot be fetched here`;
  return request.reason;
}

function notRegistry(name: string, reason: string): RefraktError {
  return new RefraktError("PLUGIN_LOAD_FAILED", `${name} cannot be resolved: ${reason}`, {
    hint: "Install the project, and start the server with --node-modules-dir=manual.",
    data: { package: name },
  });
}

function aliasOf(facts: PackageFacts, name: string): { alias?: string } {
  const declared = facts.asked(name);
  if (declared === undefined) return {};
  const request = parseRange(name, declared.range, facts.catalogs);
  return request.kind === "registry" && request.name !== name ? { alias: request.name } : {};
}

/** Why the public registry's package is not the one that the project means. */
function foreignRegistry(facts: PackageFacts, version: PackageVersion): string | undefined {
  const name = version.alias ?? version.name;
  const firstParty = name.startsWith(FIRST_PARTY_SCOPE) || name === MARKDOC_PACKAGE;
  for (const { file, host, ofScope } of facts.registries.of(name)) {
    if (host !== undefined && isPublicHost(host)) continue;
    // The first-party names belong to refrakt on the public registry, whatever mirrors it.
    if (firstParty && !ofScope) continue;
    return host === undefined
      ? `${file}, which may say where it comes from, cannot be read`
      : `${file} says that it comes from ${host}`;
  }
  if (!firstParty && facts.linkedInDeno(name)) return "deno.json links to a folder for it";
  const locked = facts.locked(version.name);
  if (locked?.resolved === undefined) return undefined;
  // A checksum is verified; what the workspace has has its published namesake.
  const kind = version.folder?.kind;
  if (firstParty && (kind === "workspace" || kind === "linked")) return undefined;
  if (firstParty && locked.integrity !== undefined && !isFolder(locked)) return undefined;
  if (isFolder(locked)) return `${locked.file} says that it comes from elsewhere`;
  const from = hostIn(locked.resolved);
  return isPublicHost(from) ? undefined : `${locked.file} says that it comes from ${from}`;
}

function byDefault(name: string): PackageVersion {
  if (name === MARKDOC_PACKAGE) return { name, version: MARKDOC_VERSION, from: "default" };
  if (name.startsWith(FIRST_PARTY_SCOPE)) {
    return { name, version: DEFAULT_VERSION, from: "default" };
  }
  const meant = meantPackage(name);
  throw new RefraktError(
    "PLUGIN_LOAD_FAILED",
    `"${name}" is configured, but the project does not have it`,
    {
      hint: meant === undefined
        ? `Install it (npm install --save-dev ${name}), or take it out of refrakt.config.json.`
        : `Did you mean "${meant}"? The refrakt packages have that scope.`,
      data: { package: name },
    },
  );
}

function ownValue(record: CarriedVersions | undefined, key: string): string | undefined {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}
