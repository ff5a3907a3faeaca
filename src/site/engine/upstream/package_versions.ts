/** Resolves the versions of the refrakt packages and of Markdoc that a project uses. */

import { join } from "node:path";
import { asObject } from "../../../io/json.ts";
import { dependencyOf } from "../../../npm/installed.ts";
import { packageFacts, readManifest } from "../../../npm/manifests.ts";
import { FIRST_PARTY_SCOPE, MARKDOC_PACKAGE, MARKDOC_VERSION } from "../../../npm/names.ts";
import type { PackageVersion } from "../../../npm/package.ts";
import { packageVersion } from "../../../npm/versions.ts";
import type { Project } from "../../../project/project.ts";

export interface UpstreamVersions {
  readonly runes: PackageVersion;
  readonly transform: PackageVersion;
  readonly markdoc: PackageVersion;
}

export function upstreamVersions(project: Project): UpstreamVersions {
  const runes = lockstepVersion(project, "@refrakt-md/runes");
  return {
    runes,
    transform: lockstepVersion(project, "@refrakt-md/transform"),
    markdoc: markdocVersion(project, runes),
  };
}

/** The package that builds pages; a theme or a plugin does without it. */
export function contentVersion(project: Project): PackageVersion {
  return lockstepVersion(project, "@refrakt-md/content");
}

/** The version of a first-party package, else that of its siblings: all are released together. */
export function lockstepVersion(project: Project, name: string): PackageVersion {
  const found = packageVersion(project, name);
  if (found.from !== "default") return found;
  const siblings = new Set([
    ...project.site?.packages ?? [],
    ...packageFacts(project).declared.map((declared) => declared.name),
  ]);
  for (const sibling of siblings) {
    if (!sibling.startsWith(FIRST_PARTY_SCOPE)) continue;
    try {
      const other = packageVersion(project, sibling);
      const { version, from, root, code } = other;
      if (from === "default") continue;
      return dependencyOf(other, name) ??
        { name, version, from: `${from} (${sibling})`, root, code };
    } catch {
      // Try the next sibling.
    }
  }
  return found;
}

/** The version that an installed `runes` requires, else the pinned one. */
function markdocVersion(project: Project, runes: PackageVersion): PackageVersion {
  const name = MARKDOC_PACKAGE;
  const { root, code } = runes;
  const installed = dependencyOf(runes, name);
  if (installed !== undefined) return installed;
  const manifest = runes.from.endsWith("node_modules")
    ? readManifest(project.cwd, join(runes.from, runes.name, "package.json"))
    : undefined;
  const asked = asObject(manifest?.["dependencies"])[name];
  const version = typeof asked === "string" ? asked : MARKDOC_VERSION;
  return { name, version, from: "runes", root, code };
}
