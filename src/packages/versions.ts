/**
 * Finds the version of a package: of the installed copy, in `package-lock.json`, or in the range of a
 * manifest. Its code is npm's of that version; where the project's code is trusted and Deno resolves
 * packages in `node_modules`, it is the installed copy's.
 */

import { quotedName } from "../plain_text.ts";
import { RefraktError, withoutCredentials } from "../errors.ts";
import { MOST_PLUGINS } from "../plugin/config.ts";
import type { Project } from "../plugin/project.ts";
import { notLoaded } from "./failures.ts";
import { notTrusted } from "./gate.ts";
import {
  installedCopy,
  lockedVersion,
  manifestProblem,
  packageFacts,
  takesFromDisk,
} from "./manifests.ts";
import {
  DEFAULT_VERSION,
  isFirstParty,
  isPackageName,
  isRegistryRange,
  MARKDOC_PACKAGE,
  MARKDOC_VERSION,
  meantPackage,
} from "./names.ts";
import { packagePolicy, type PackageVersion } from "./package.ts";

/**
 * Finds a package.
 *
 * @throws {RefraktError} `PLUGIN_LOAD_FAILED` for an invalid name, or a package that npm does not have;
 * `CODE_NOT_TRUSTED` for one that only `--trust` loads.
 */
export function packageVersion(project: Project, name: string): PackageVersion {
  // A name may come from a call: invalid ones are rejected before they become a key of the memo.
  if (!isPackageName(name)) {
    throw notLoaded(name.slice(0, 214), {
      message: `Not the name of an npm package: ${quotedName(name)}`,
      hint: "Publish the folder as a package, then use its name.",
    });
  }
  const find = (): PackageVersion | RefraktError => {
    try {
      return findVersion(project, name);
    } catch (error) {
      if (error instanceof RefraktError) return error;
      throw error;
    }
  };
  const version = project.memo(["package", name], find, { most: MOST_PLUGINS });
  if (version instanceof RefraktError) throw version;
  return version;
}

function findVersion(project: Project, name: string): PackageVersion {
  const code = packagePolicy(project);
  if (Deno.build.standalone) return { name, version: embedded(name), from: "embedded", code };
  const copy = installedCopy(project, name);
  const installed = copy && { name, version: copy.version, from: copy.from, folder: copy, code };
  if (installed !== undefined && takesFromDisk(project)) {
    return { ...installed, isProjectCode: true };
  }
  if (!isFirstParty(name) && name !== MARKDOC_PACKAGE) {
    if (copy !== undefined) {
      throw notTrusted(name, "it is not in the scope @refrakt-md", code.shell.trust());
    }
    const meant = meantPackage(name);
    throw notLoaded(name, {
      message: `${name} is not installed, and not in the scope @refrakt-md`,
      hint: meant === undefined
        ? code.shell.install(name)
        : `Did you mean ${quotedName(meant)}? refrakt's packages are in that scope.`,
    });
  }
  return installed ?? { ...declaredVersion(project, name), code };
}

/** The version that `.ci/compile.ts` embeds in a binary, whatever the project has. */
function embedded(name: string): string {
  if (name === MARKDOC_PACKAGE) return MARKDOC_VERSION;
  if (isFirstParty(name)) return DEFAULT_VERSION;
  throw notLoaded(name, {
    message:
      `${name} is not in this binary, which has some of refrakt's own packages and no others`,
    hint: "Run the server from JSR: deno run … jsr:@refrakt/mcp.",
  });
}

/** A package that is not installed: at the locked or declared version. */
function declaredVersion(project: Project, name: string): Omit<PackageVersion, "code"> {
  const { declared, declaredAbove } = packageFacts(project);
  const locked = lockedVersion(project, name);
  if (locked !== undefined) return { name, version: locked, from: "package-lock.json" };
  const nearest = [...declared, ...declaredAbove].find((each) => each.name === name);
  if (nearest === undefined) {
    const version = name === MARKDOC_PACKAGE ? MARKDOC_VERSION : DEFAULT_VERSION;
    const isBroken = manifestProblem(project.cwd) !== undefined;
    return { name, version, from: isBroken ? "default: package.json is not valid" : "default" };
  }
  const { range, from } = nearest;
  // Yarn writes `npm:^1.0.0` for a plain range.
  const version = range.trim().replace(/^npm:(?=[\d^~<>=*])/, "");
  if (isRegistryRange(version)) return { name, version, from };
  const text = withoutCredentials(range).replace(/\?.*$/s, "").slice(0, 200);
  throw notLoaded(name, {
    message: `Deno finds no version of ${name} for ${quotedName(text)} (${from})`,
    hint: `${
      project.shell.install(name)
    } Or write a plain range there, such as ^${DEFAULT_VERSION}.`,
  });
}
