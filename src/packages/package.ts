/** Types for a package and its location. */

import type { Origin, PackageReport } from "../plugin/detection.ts";
import type { CodePolicy, Project, ShellLines } from "../plugin/project.ts";

/** An installed copy of a package. */
export interface PackageFolder {
  /** The real, absolute path. */
  readonly path: string;
  /** The path before links were followed. */
  readonly link: string;
  /** The version in its manifest. */
  readonly version: string;
}

/** A package and the version to load. */
export interface PackageVersion {
  /** The requested name. */
  readonly name: string;
  /** An exact version, or a range that npm resolves. */
  readonly version: string;
  /**
   * The source of the version: a `node_modules`, `package-lock.json`, a manifest, `default`, or
   * `embedded` in a compiled binary.
   */
  readonly from: string;
  /** The installed copy of this version, whose files are read as data. */
  readonly folder?: PackageFolder;
  /** Whether its code is imported from that folder, which needs trust. */
  readonly isProjectCode?: boolean;
  /** The project's policy, and what to run in a shell where it refuses a package. */
  readonly code: CodePolicy & { readonly shell: ShellLines };
}

export function packagePolicy({ code, shell }: Project): PackageVersion["code"] {
  return { ...code, shell };
}

/** Functions that prepare a package, by name, before its import, such as by replacing a module. */
export const preparations = new Map<string, (release: PackageVersion) => Promise<void>>();

export function originOf({ isProjectCode }: PackageVersion): Origin {
  if (Deno.build.standalone) return "embedded";
  return isProjectCode ? "project" : "registry";
}

export function packageReport(release: PackageVersion, version = release.version): PackageReport {
  const report = { version, versionFrom: release.from, origin: originOf(release) };
  if (report.origin !== "project" || release.folder === undefined) return report;
  return { ...report, path: release.folder.path };
}
