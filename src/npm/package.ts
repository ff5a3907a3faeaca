/** Types for a package and its location. */

import type { CodePolicy } from "../project/code_policy.ts";

/** The folder of a package. */
export interface PackageFolder {
  /** The real, absolute path. */
  readonly path: string;
  /** The path before links were followed. */
  readonly link: string;
  /** The name in its manifest; empty if it has none. */
  readonly name: string;
  /** The version in its manifest. */
  readonly version: string;
  /** Installed, a folder of the project, or a folder outside it. */
  readonly kind: "node_modules" | "workspace" | "linked";
}

/** A package and the version to load. */
export interface PackageVersion {
  /** The requested name. */
  readonly name: string;
  /** An exact version, or a range that npm resolves. */
  readonly version: string;
  /**
   * The source of the version: `node_modules`, `package-lock.json`, a manifest, `default`, or
   * `embedded` in a compiled binary.
   */
  readonly from: string;
  /** The root folder for installed packages, if this process imports from there. */
  readonly root?: string;
  /** The folder of the installed copy. Without `root`, it is only read, not imported. */
  readonly folder?: PackageFolder;
  /** The manifest that aliases another package to this name, if known. */
  readonly aliasIn?: string;
  /** What project code may run; by default only refrakt's own packages. */
  readonly code?: CodePolicy;
}

/** How a package is found; see `versions.ts`. */
export type Rule = "installed" | "npm" | "embedded";

export function ruleOf({ root }: PackageVersion): Rule {
  if (Deno.build.standalone) return "embedded";
  return root === undefined ? "npm" : "installed";
}

/** Returns what an import by this name loads, if known: `name@version`. */
export function realNameOf({ name, version, root, folder }: PackageVersion): string {
  return root === undefined || folder === undefined
    ? `${name}@${version}`
    : `${folder.name || "a package without a name"}@${folder.version}`;
}

/** Finds a package that the project does not declare through one that it has. */
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
