/**
 * Installed copies of packages. Their files are data; their code is imported only where the project's
 * code is trusted, and Deno resolves packages in `node_modules` (`--node-modules-dir=manual`).
 */

import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { orElse, saidBy } from "../errors.ts";
import { DENO_MESSAGES } from "../io/deno_messages.ts";
import { textOf } from "../io/json.ts";
import { noteRead } from "../io/reads.ts";
import { exists, realPathOf, shownPath } from "../io/paths.ts";
import { isReadable } from "../io/permissions.ts";
import type { Project } from "../plugin/project.ts";
import { cachedPackage } from "./gate.ts";
import { installedFirstParty, packageFacts, readManifest } from "./manifests.ts";
import { isExactVersion, isFirstParty, isPackageName } from "./names.ts";
import type { PackageFolder } from "./package.ts";

/** The packages that the project's plan and sites load. */
export function neededPackages({ packages, site, config }: Project): string[] {
  const names = [...packages, ...config?.packages ?? [], ...site?.themes ?? []];
  return [...new Set(names)].filter(isPackageName);
}

/** The packages that a project has installed, or may have. */
export function namedPackages(project: Project): string[] {
  const declared = packageFacts(project).declared.map(({ name }) => name);
  const ours = [...declared.filter(isFirstParty), ...installedFirstParty(project.cwd)];
  return [...new Set([...neededPackages(project), ...ours, ...declared])];
}

/**
 * Finds an installed copy, whatever the flags: in the project, in workspace members, in the folders
 * above, then beside refrakt's own packages, whose dependencies may be nested. `from` is the
 * `node_modules`, relative to the project.
 */
export function installedCopy(
  project: Project,
  name: string,
): PackageFolder & { readonly from: string } | undefined {
  const { folders } = packageFacts(project);
  const copies = folders.values().map((folder) => copyIn(folder, name));
  const nested = folders.values().flatMap((folder) =>
    installedFirstParty(folder).map((parent) => {
      const path = orElse(() => realPathOf(join(folder, "node_modules", parent)), undefined);
      return path === undefined ? undefined : dependencyOf({ path }, name);
    })
  );
  const isThere = (copy: PackageFolder | undefined) => copy !== undefined;
  const copy = copies.find(isThere) ?? nested.find(isThere);
  return copy && { ...copy, from: shownPath(project.cwd, copy.link.slice(0, -name.length - 1)) };
}

/** Finds a dependency of a package by its real folder, as Node does. */
export function dependencyOf(
  { path }: Pick<PackageFolder, "path">,
  name: string,
): PackageFolder | undefined {
  for (let at = path;; at = dirname(at)) {
    const copy = copyIn(at, name);
    if (copy !== undefined || dirname(at) === at) return copy;
  }
}

/**
 * Reads the package in the `node_modules` of a folder, links followed; `undefined` if there is none,
 * it is unreadable, or an alias of another package.
 */
function copyIn(folder: string, name: string): PackageFolder | undefined {
  const link = join(folder, "node_modules", name);
  // The link may lead to another version later.
  noteRead(join(link, "package.json"));
  // A broken link leads nowhere.
  const path = exists(link) ? orElse(() => realPathOf(link), undefined) : undefined;
  const manifest = path !== undefined && isReadable(path) ? readManifest(path) : undefined;
  if (manifest === undefined || (manifest["name"] ?? name) !== name) return undefined;
  const version = textOf(manifest["version"]) ?? "";
  return isExactVersion(version) ? { path: path!, link, version } : undefined;
}

/**
 * Whether packages are those that the project has installed: its code is trusted, and Deno resolves
 * packages in `node_modules`, which is only detectable if some are installed.
 */
export function takesFromDisk(project: Project): boolean {
  const takes = () => namedPackages(project).some(isOnDisk);
  return project.code.trust && project.memo("takes from disk", takes);
}

function isOnDisk(name: string): boolean {
  let file: string | undefined;
  try {
    const url = import.meta.resolve(`npm:${name}@*`);
    file = url.startsWith("file:") ? fileURLToPath(url) : undefined;
  } catch (error) {
    file = DENO_MESSAGES.noExport.exec(saidBy(error))?.[1];
  }
  // Links of a workspace are followed.
  return file !== undefined && cachedPackage(file) === undefined;
}
