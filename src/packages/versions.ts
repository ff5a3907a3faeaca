/**
 * Finds the version of a package: of the installed copy, in `package-lock.json`, or in the range of a
 * manifest. Its code is npm's of that version; where the project's code is trusted and Deno resolves
 * packages in `node_modules`, it is the installed copy's.
 */

import { quotedName } from "../plain_text.ts";
import { RefraktError, withoutCredentials } from "../errors.ts";
import { meantPackage } from "./first_party.ts";
import { MOST_PLUGINS } from "../plugin/config.ts";
import type { Project } from "../plugin/project.ts";
import { notLoaded } from "./failures.ts";
import { notTrusted } from "./gate.ts";
import { installStep } from "./install_line.ts";
import {
  foldersToPermit,
  type InstalledCopy,
  installedCopy,
  installedLink,
  ownPackage,
  takesFromDisk,
} from "./installed.ts";
import { manifestProblem, packageFacts, registryRange } from "./manifests.ts";
import { recordInto } from "../io/reads.ts";
import {
  DEFAULT_VERSION,
  isFirstParty,
  isPackageName,
  MARKDOC_PACKAGE,
  MARKDOC_VERSION,
} from "./names.ts";
import type { LoadPolicy, PackageVersion } from "./package.ts";
import { trustStep } from "./serve_command.ts";
import { shellWord } from "./shell.ts";

const versionsOf = new WeakMap<Project, Map<string, PackageVersion | RefraktError>>();

/**
 * Finds a package, once per snapshot.
 *
 * @throws {RefraktError} `PLUGIN_LOAD_FAILED` for an invalid name, or a package that has to be
 * installed first; `CODE_NOT_TRUSTED` for one that only `--trust` loads.
 */
export function packageVersion(project: Project, name: string): PackageVersion {
  // Names may come from calls: they are neither kept at any length nor in any number.
  if (!isPackageName(name)) throw notAName(name);
  const versions = versionsOf.getOrInsertComputed(project, () => new Map());
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
  const own = project.own?.name === name ? ownPackage(project) : undefined;
  const copy = own ?? installedCopy(project, name);
  const isDisk = takesFromDisk(project) || own !== undefined && project.code.trust;
  if (isDisk && copy === undefined) throw notOnDisk(project, name);
  const code = policyOf(project);
  if (isDisk) {
    const { version, from } = copy!;
    return { name, version, from, folder: copy!, isProjectCode: true, code };
  }
  if (!isFirstParty(name) && name !== MARKDOC_PACKAGE) throw outsideScope(project, name, copy);
  return { ...fromNpm(project, name, copy), code };
}

/** The project's policy for loading packages. */
function policyOf(project: Project): LoadPolicy {
  return { ...project.code, howToTrust: () => trustStep(project) };
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

/** A package from npm: at the installed, locked or declared version. */
function fromNpm(
  project: Project,
  name: string,
  copy: InstalledCopy | undefined,
): PackageVersion {
  // A copy with another name is an alias: npm has another package by this name.
  if (copy !== undefined && ["", name].includes(copy.name)) {
    return { name, version: copy.version, from: copy.from, folder: copy };
  }
  const { nearest, locked } = packageFacts(project);
  const exact = locked(name);
  if (exact !== undefined) return { name, version: exact, from: "package-lock.json" };
  const declared = nearest(name);
  if (declared === undefined) return byDefault(project, name);
  const { range, from } = declared;
  const version = registryRange(name, range);
  if (version !== undefined) return { name, version, from };
  throw notLoaded(name, {
    message: `npm has no ${name} at ${
      quotedName(withoutCredentials(range).replace(/\?.*$/s, "").slice(0, 200))
    } (${from})`,
    hint: `${copy === undefined ? `${installStep(project, [name])} ` : ""}${trustStep(project)}`,
  });
}

function byDefault(project: Project, name: string): PackageVersion {
  const version = name === MARKDOC_PACKAGE ? MARKDOC_VERSION : DEFAULT_VERSION;
  const isBroken = manifestProblem(project.cwd, "package.json") !== undefined;
  return { name, version, from: isBroken ? "default: package.json is not valid" : "default" };
}

/** The error for a package of another publisher. */
function outsideScope(
  project: Project,
  name: string,
  copy: InstalledCopy | undefined,
): RefraktError {
  if (copy !== undefined) {
    return notTrusted(name, "it is not in the scope @refrakt-md", trustStep(project));
  }
  const meant = meantPackage(name);
  return notLoaded(name, {
    message: `${name} is not installed, and not in the scope @refrakt-md`,
    hint: meant === undefined
      ? `${installStep(project, [name])} ${trustStep(project)}`
      : `Did you mean ${quotedName(meant)}? refrakt's packages are in that scope.`,
  });
}

/** The error for a package that `--node-modules-dir=manual` does not find. */
function notOnDisk(project: Project, name: string): RefraktError {
  const link = installedLink(project, name);
  const [folder] = link === undefined ? [] : foldersToPermit(project, name, link);
  if (folder !== undefined) {
    const reason = "it lies outside the folders that the server may read";
    return notTrusted(name, reason, `Add its folder: --allow-read=${shellWord(`.,${folder}`)}`);
  }
  const without = isFirstParty(name) && link === undefined
    ? " Or leave out --node-modules-dir=manual, to use npm's."
    : "";
  return notLoaded(name, {
    message: link === undefined
      ? `${name} is not installed`
      : `${name} has an invalid package.json`,
    hint: installStep(project, [name]) + without,
  });
}
