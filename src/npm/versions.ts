/**
 * The one rule by which packages are found: installed and started with
 * `--node-modules-dir=manual`, what lies in `node_modules`; not installed and of refrakt's scope,
 * what npm has at the project's version; everything else has to be installed.
 *
 * @module
 */

import { RefraktError } from "../errors.ts";
import type { CodePolicy } from "../project/code_policy.ts";
import { meantPackage } from "../project/first_party.ts";
import type { Project, Warning } from "../project/project.ts";
import { type CarriedVersions, carriedVersions } from "./embedded.ts";
import { notInstalled } from "./failures.ts";
import { installedPackage, outOfSight, takesFromDisk } from "./installed.ts";
import { packageFacts, parseRange } from "./manifests.ts";
import {
  DEFAULT_VERSION,
  isFirstParty,
  isPackageName,
  MARKDOC_PACKAGE,
  MARKDOC_VERSION,
} from "./names.ts";

/** A folder in which a package lies. */
export interface PackageFolder {
  /** The real, absolute path. */
  readonly path: string;
  /** The path by which it was found, links not followed. */
  readonly link: string;
  /** The name in its own manifest; empty where it has none. */
  readonly name: string;
  /** The version in its own manifest. */
  readonly version: string;
  /** What it is: installed, a folder of the project, or one outside. */
  readonly kind: "node_modules" | "workspace" | "linked";
}

/** A package and the version of it that is to be loaded. */
export interface PackageVersion {
  /** The name by which it was asked for. */
  readonly name: string;
  /** An exact version, or a range that npm resolves. */
  readonly version: string;
  /**
   * Where the version comes from: `node_modules`, `package-lock.json`, a manifest, `default`, or
   * `embedded` where a binary carries another one than the project has.
   */
  readonly from: string;
  /** The project's folder, where this process takes packages from `node_modules`. */
  readonly root?: string;
  /** The folder in which it is installed; without `root` it is read, and not imported from. */
  readonly folder?: PackageFolder;
  /** The manifest that gives another package this name, where that is known. */
  readonly aliasIn?: string;
  /** Modules that see it, where it is installed above the project. */
  readonly above?: readonly string[];
  /** How code of the project may run; by default refrakt's own packages alone. */
  readonly code?: CodePolicy;
}

/** Which case of the rule found a package. */
export type Rule = "installed" | "npm" | "embedded";

/** The case of the rule that found a package. */
export function ruleOf({ root, from }: PackageVersion): Rule {
  return Deno.build.standalone || from === "embedded"
    ? "embedded"
    : root === undefined
    ? "npm"
    : "installed";
}

/**
 * Finds a package by the rule. A binary loads what it carries, whatever the project has.
 *
 * @param carried What this process carries, if it is a binary; for tests of both.
 * @throws {RefraktError} `PLUGIN_LOAD_FAILED` for what is not a package name, and for what has to
 * be installed and is not.
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
    const found = installedPackage(project, name) ?? projectVersion(project, name);
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

/** `semver`, as far as it is used here; the package comes without types. */
interface Semver {
  satisfies(version: string, range: string): boolean;
  maxSatisfying(versions: readonly string[], range: string): string | null;
  validRange(range: string): string | null;
}

/** Whether a range can mean a version. */
async function takes(range: string, version: string): Promise<boolean> {
  const { satisfies, validRange } = await semver();
  return validRange(range) === null || satisfies(version, range);
}

/** Loads `semver`, which few starts need. */
export async function semver(): Promise<Semver> {
  return (await import("semver") as { default: Semver }).default;
}

const found = new WeakMap<Project, Map<string, PackageVersion | RefraktError>>();

/** Looks once for each snapshot. */
function projectVersion(project: Project, name: string): PackageVersion {
  let versions = found.get(project);
  if (versions === undefined) found.set(project, versions = new Map());
  let version = versions.get(name);
  if (version === undefined) {
    try {
      version = findVersion(project, name);
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
  if (takesFromDisk(project)) {
    const version = installedPackage(project, name) ?? outOfSight(project, name);
    if (version !== undefined) return version;
    throw missing(name, notInstalled(name));
  }
  return withFiles(project, { ...fromManifests(project, name), code: project.code });
}

/** With the folder of an installed copy of the same version, whose style sheets are read as data. */
function withFiles(project: Project, found: PackageVersion): PackageVersion {
  const folder = installedPackage(project, found.name)?.folder;
  // A manifest without a name is what `refrakt.package_validate` is to find.
  const isSame = folder !== undefined && ["", found.name].includes(folder.name) &&
    folder.version === found.version;
  return isSame ? { ...found, folder } : found;
}

/** A package that npm has: at the version of `package-lock.json`, else in the manifest's range. */
function fromManifests(project: Project, name: string): PackageVersion {
  const { declared, overrides, locked } = packageFacts(project);
  const asked = overrides.find((entry) => entry.name === name) ??
    declared.find((entry) => entry.name === name);
  if (asked === undefined && name === MARKDOC_PACKAGE) {
    return { name, version: MARKDOC_VERSION, from: "default" };
  }
  if (!isFirstParty(name)) throw foreign(project, name);
  if (asked === undefined) {
    const version = locked(name);
    return version === undefined
      ? { name, version: DEFAULT_VERSION, from: "default" }
      : { name, version, from: "package-lock.json" };
  }
  const request = parseRange(name, asked.range);
  const isOverride = overrides.includes(asked);
  if (request.kind === "range" && !isOverride) {
    const version = locked(name);
    return version === undefined
      ? { name, version: request.range, from: asked.from }
      : { name, version, from: "package-lock.json" };
  }
  const target = request.kind === "range" ? request.range : request.target;
  const kind = isOverride
    ? "an override"
    : request.kind === "alias"
    ? "an alias"
    : "no version of npm's";
  throw missing(name, {
    message:
      `${name} → ${target}, ${kind} in ${asked.from}: only what npm has by the package's own ` +
      "name is loaded without being installed",
    hint: INSTALL,
  });
}

const INSTALL = "Install the project (npm install), and start the server with --no-config " +
  "--node-modules-dir=manual.";

/** The error of a package of another publisher, which is never downloaded. */
function foreign(project: Project, name: string): RefraktError {
  const installed = installedPackage(project, name);
  if (installed !== undefined) {
    return missing(name, {
      message: `${name} is installed, but this server does not look into node_modules`,
      hint: "Start the server in the project with --no-config --node-modules-dir=manual.",
    });
  }
  const meant = meantPackage(name);
  return missing(name, {
    message: `${name} is not installed, and only refrakt's own packages are downloaded`,
    hint: meant === undefined
      ? `Install it (npm install --save-dev ${name}), and start the server with --no-config ` +
        "--node-modules-dir=manual; or take it out of refrakt.config.json."
      : `Did you mean "${meant}"? The refrakt packages have that scope.`,
  });
}

function missing(name: string, { message, hint }: { message: string; hint: string }): RefraktError {
  return new RefraktError("PLUGIN_LOAD_FAILED", message, { hint, data: { package: name } });
}

/** A package that the project says nothing of, found by way of another one that it has. */
export function besideVersion(
  { root, code }: PackageVersion,
  found: Pick<PackageVersion, "name" | "version" | "from">,
): PackageVersion {
  return {
    ...found,
    ...(root === undefined ? {} : { root }),
    ...(code === undefined ? {} : { code }),
  };
}

function ownValue(record: CarriedVersions | undefined, key: string): string | undefined {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}
