/**
 * A package and where it was found.
 *
 * @module
 */

import type { CodePolicy } from "../project/code_policy.ts";

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
   * `embedded` in a compiled binary.
   */
  readonly from: string;
  /** The folder that installed packages are looked for in, where this process imports those. */
  readonly root?: string;
  /** The folder in which it is installed; without `root` it is read, and not imported from. */
  readonly folder?: PackageFolder;
  /** The manifest that gives another package this name, where that is known. */
  readonly aliasIn?: string;
  /** How code of the project may run; by default refrakt's own packages alone. */
  readonly code?: CodePolicy;
}

/** Which case of the rule found a package. */
export type Rule = "installed" | "npm" | "embedded";

/** The case of the rule that found a package. */
export function ruleOf({ root }: PackageVersion): Rule {
  if (Deno.build.standalone) return "embedded";
  return root === undefined ? "npm" : "installed";
}

/** What is imported by a name, where that is known: `name@version`. */
export function realNameOf({ name, version, root, folder }: PackageVersion): string {
  return root === undefined || folder === undefined
    ? `${name}@${version}`
    : `${folder.name || "a package without a name"}@${folder.version}`;
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
