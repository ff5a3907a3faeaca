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
  readonly kind: Exclude<Origin, "registry" | "embedded">;
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
  readonly root?: string | undefined;
  /** The folder of the installed copy. Without `root`, it is only read, not imported. */
  readonly folder?: PackageFolder;
  /** What project code may run; by default only refrakt's own packages. */
  readonly code?: CodePolicy | undefined;
}

/** Where a package is loaded from; see `versions.ts`. */
export type Origin = "node_modules" | "workspace" | "linked" | "registry" | "embedded";

export function originOf({ root, folder }: PackageVersion): Origin {
  if (Deno.build.standalone) return "embedded";
  return root === undefined ? "registry" : folder?.kind ?? "node_modules";
}

/** What reports say about a package. */
export interface PackageReport {
  /** The version: the exact one, once the package is loaded. */
  readonly version: string;
  /** The source of the version. */
  readonly versionFrom: string;
  /** What an import by the name loads, as `name@version`. */
  readonly realName: string;
  /** Where it is loaded from. */
  readonly origin: Origin;
  /** The real, absolute folder; absent for packages from the registry. */
  readonly path?: string;
}

export function packageReport(found: PackageVersion, version = found.version): PackageReport {
  const { name, from, root, folder } = found;
  const installed = root === undefined ? undefined : folder;
  const realName = installed === undefined ? name : installed.name || "a package without a name";
  return {
    version,
    versionFrom: from,
    realName: `${realName}@${version}`,
    origin: originOf(found),
    ...(installed === undefined ? {} : { path: installed.path }),
  };
}
