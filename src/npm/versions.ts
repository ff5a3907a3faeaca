/**
 * Finds packages by one rule. Installed and started with `--node-modules-dir=manual`: the copy in
 * `node_modules`. Not installed, but in refrakt's scope: npm, at the project's version. Others must
 * be installed.
 */

import { quotedName } from "../plain_text.ts";
import { RefraktError } from "../errors.ts";
import { meantPackage } from "../project/first_party.ts";
import { MOST_PLUGINS } from "../project/config.ts";
import type { Project } from "../project/project.ts";
import { notInstalled, notLoaded } from "./failures.ts";
import { misplaced, neededBy, refusal } from "./gate.ts";
import { installStep } from "./install_line.ts";
import { installedPackage, ownPackage, takesFromDisk, whereItLies } from "./installed.ts";
import { packageFacts, registryRange, withoutSecrets } from "./manifests.ts";
import { recordInto } from "../io/reads.ts";
import {
  DEFAULT_VERSION,
  isFirstParty,
  isPackageName,
  MARKDOC_PACKAGE,
  MARKDOC_VERSION,
} from "./names.ts";
import type { PackageVersion } from "./package.ts";
import { placeOf } from "./place.ts";

const found = new WeakMap<Project, Map<string, PackageVersion | RefraktError>>();

/**
 * Finds a package, once per snapshot.
 *
 * @throws {RefraktError} `PLUGIN_LOAD_FAILED` for an invalid name, and for a package that must be
 * installed first.
 */
export function packageVersion(project: Project, name: string): PackageVersion {
  // Names may come from calls: they are neither kept at any length nor in any number.
  if (!isPackageName(name)) throw notAName(name);
  const versions = found.getOrInsertComputed(project, () => new Map());
  let version = versions.get(name);
  if (version === undefined) {
    try {
      version = recordInto(project.reads, () => findVersion(project, name));
    } catch (error) {
      if (!(error instanceof RefraktError)) throw error;
      version = error;
    }
    versions.set(name, version);
    if (versions.size > MOST_PLUGINS) versions.delete(versions.keys().next().value!);
  }
  if (version instanceof RefraktError) throw version;
  return version;
}

function notAName(name: string): RefraktError {
  return new RefraktError(
    "PLUGIN_LOAD_FAILED",
    `Not the name of an npm package: ${quotedName(name)}`,
    {
      hint:
        "Only packages can be loaded as plugins: publish the folder as a package, then use its name.",
    },
  );
}

function findVersion(project: Project, name: string): PackageVersion {
  if (Deno.build.standalone) return embedded(name);
  const own = ownPackage(project);
  if (own?.name === name) return own;
  if (takesFromDisk(project)) {
    const version = installedPackage(project, name);
    if (version !== undefined) return version;
    const file = whereItLies(name);
    const place = file === undefined ? undefined : placeOf(file);
    const above = place?.kind === "outside" ? misplaced(place) : undefined;
    throw above === undefined
      ? notLoaded(name, notInstalled(name, installStep(project, [name])))
      : neededBy(name, refusal(above));
  }
  return withFiles(project, { ...fromManifests(project, name), code: project.code });
}

/** What `.ci/compile.ts` embeds in a binary, whatever the project has. */
function embedded(name: string): PackageVersion {
  if (name === MARKDOC_PACKAGE) return { name, version: MARKDOC_VERSION, from: "embedded" };
  if (isFirstParty(name)) return { name, version: DEFAULT_VERSION, from: "embedded" };
  throw notLoaded(name, {
    message:
      `${name} is not in this binary, which has some of refrakt's own packages and no others`,
    hint: "Run the server from JSR: deno run … jsr:@refrakt/mcp.",
  });
}

/** Adds the folder of an installed copy of the same version, for reading its style sheets. */
function withFiles(project: Project, found: PackageVersion): PackageVersion {
  const folder = installedPackage(project, found.name)?.folder;
  // `refrakt_package_validate` reports manifests without a name.
  const isSame = folder !== undefined && ["", found.name].includes(folder.name) &&
    folder.version === found.version;
  return isSame ? { ...found, folder } : found;
}

/** A package from npm: at the version in `package-lock.json`, else in the manifest's range. */
function fromManifests(project: Project, name: string): PackageVersion {
  const { declared, overrides, locked } = packageFacts(project);
  const asked = [...overrides, ...declared].find((entry) => entry.name === name);
  if (asked === undefined && name === MARKDOC_PACKAGE) {
    return { name, version: MARKDOC_VERSION, from: "default" };
  }
  if (!isFirstParty(name)) throw foreign(project, name);
  const { range = DEFAULT_VERSION, from = "default" } = asked ?? {};
  const version = registryRange(name, range);
  if (version !== undefined) {
    const exact = locked(name);
    return exact === undefined
      ? { name, version, from }
      : { name, version: exact, from: "package-lock.json" };
  }
  throw notLoaded(name, {
    message: `${name} → ${withoutSecrets(range)} (${from}): only what npm has by the package's ` +
      "own name is loaded without being installed",
    hint: `${installStep(project, [name])} Then start the server with --no-config ` +
      "--node-modules-dir=manual.",
  });
}

/** The error for a third-party package, which is never downloaded. */
function foreign(project: Project, name: string): RefraktError {
  if (installedPackage(project, name) !== undefined) {
    return notLoaded(name, {
      message: `${name} is installed, but this server does not look into node_modules`,
      hint: "Start the server in the project with --no-config --node-modules-dir=manual.",
    });
  }
  const meant = meantPackage(name);
  return notLoaded(name, {
    message: `${name} is not installed, and only refrakt's own packages are downloaded`,
    hint: meant === undefined
      ? `${installStep(project, [name])} Once it is installed, start the server with --no-config ` +
        "--node-modules-dir=manual."
      : `Did you mean ${quotedName(meant)}? refrakt's packages are in that scope.`,
  });
}
