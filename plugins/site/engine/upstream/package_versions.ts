/** Resolves the versions of the refrakt packages and of Markdoc that a project uses. */

import { asObject, textOf } from "../../../../src/io/json.ts";
import { dependencyOf, packageFacts, readManifest } from "../../../../src/packages/manifests.ts";
import {
  FIRST_PARTY_SCOPE,
  MARKDOC_PACKAGE,
  MARKDOC_VERSION,
} from "../../../../src/packages/names.ts";
import type { PackageVersion } from "../../../../src/packages/package.ts";
import { packageVersion } from "../../../../src/packages/versions.ts";
import type { Project } from "../../../../src/plugin/project.ts";

export type UpstreamVersions = ReturnType<typeof upstreamVersions>;

export function upstreamVersions(project: Project) {
  const runes = lockstepVersion(project, "@refrakt-md/runes");
  return {
    runes,
    transform: lockstepVersion(project, "@refrakt-md/transform"),
    markdoc: markdocVersion(runes),
  };
}

/** The package that builds pages; a theme or a plugin does without it. */
export function contentVersion(project: Project): PackageVersion {
  return lockstepVersion(project, "@refrakt-md/content");
}

/** The version of a first-party package, else that of its siblings: all are released together. */
export function lockstepVersion(project: Project, name: string): PackageVersion {
  const version = packageVersion(project, name);
  if (version.from !== "default") return version;
  const siblings = new Set([
    ...project.site?.packages ?? [],
    ...packageFacts(project).declared.map((declared) => declared.name),
  ]);
  for (const sibling of siblings) {
    if (!sibling.startsWith(FIRST_PARTY_SCOPE)) continue;
    try {
      const other = packageVersion(project, sibling);
      if (other.from === "default") continue;
      const { folder: _, ...rest } = other;
      return dependencyIn(other, name) ?? { ...rest, name, from: `${other.from} (${sibling})` };
    } catch {
      // Try the next sibling.
    }
  }
  return version;
}

/** The dependency of a package whose code is the project's. */
function dependencyIn(version: PackageVersion, name: string): PackageVersion | undefined {
  const folder = version.isProjectCode ? dependencyOf(version.folder!, name) : undefined;
  return folder && { ...version, name, version: folder.version, from: "node_modules", folder };
}

/** The version that an installed `runes` requires, else the pinned one. */
function markdocVersion(runes: PackageVersion): PackageVersion {
  const name = MARKDOC_PACKAGE;
  const nested = dependencyIn(runes, name);
  if (nested !== undefined) return nested;
  const { folder, code } = runes;
  const manifest = folder && readManifest(folder.path);
  const version = textOf(asObject(manifest?.["dependencies"])[name]) ?? MARKDOC_VERSION;
  return { name, version, from: "runes", code };
}
