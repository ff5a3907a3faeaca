/**
 * Installed copies of packages. Their files are data; their code is imported only where the project's
 * code is trusted, and Deno resolves packages in `node_modules` (`--node-modules-dir=manual`).
 */

import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { orElse, saidBy } from "../errors.ts";
import { DENO_MESSAGES } from "../io/deno_messages.ts";
import { textOf } from "../io/json.ts";
import { noteRead, recordInto } from "../io/reads.ts";
import { exists, isInside, realPathOf, shownPath } from "../io/paths.ts";
import { isReadable } from "../io/permissions.ts";
import { themesOf } from "../plugin/code_policy.ts";
import { configuredPackages } from "../plugin/config.ts";
import type { Project } from "../plugin/project.ts";
import { cachedPackage } from "./gate.ts";
import {
  foldersUp,
  installedFirstParty,
  type Manifest,
  packageFacts,
  readManifest,
} from "./manifests.ts";
import {
  FIRST_PARTY_SCOPE,
  isExactVersion,
  isFirstParty,
  isPackageName,
  PLAN_PACKAGE,
} from "./names.ts";
import type { PackageFolder } from "./package.ts";

/** An installed copy, and where it was found: a `node_modules`, relative to the project. */
export interface InstalledCopy extends PackageFolder {
  readonly from: string;
}

/** The packages that the project's plan and sites load. */
export function neededPackages({ plan, site, config }: Project): string[] {
  const names = [
    ...(plan === null ? [] : [PLAN_PACKAGE]),
    ...(site === null ? [] : [`${FIRST_PARTY_SCOPE}runes`]),
    ...configuredPackages(config),
    ...themesOf(site),
  ];
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
 * above, then beside refrakt's own packages, whose dependencies may be nested.
 */
export function installedCopy(project: Project, name: string): InstalledCopy | undefined {
  const bases = basesOf(project);
  const links = bases.map((base) => join(base, "node_modules", name)).values();
  const parents = bases.values().flatMap((base) =>
    installedFirstParty(base).flatMap((parent) =>
      orElse(() => [realPathOf(join(base, "node_modules", parent))], [])
    )
  );
  const copies = links.map(copyAt).filter((copy) => copy !== undefined);
  const copy = copies.next().value ??
    parents.map((path) => dependencyOf({ path }, name)).find((found) => found !== undefined);
  return copy && { ...copy, from: shownPath(project.cwd, copy.link.slice(0, -name.length - 1)) };
}

/** The package that the project's folder is, if it has a name and a version. */
export function ownPackage({ cwd, own }: Project): InstalledCopy | undefined {
  const copy = own?.name === undefined || !isPackageName(own.name) ? undefined : copyAt(cwd);
  return copy && { ...copy, from: "package.json" };
}

/** Finds a dependency of a package by its real folder, as Node does. */
export function dependencyOf(
  { path }: Pick<PackageFolder, "path">,
  name: string,
): PackageFolder | undefined {
  for (let at = path;; at = dirname(at)) {
    const copy = copyAt(join(at, "node_modules", name));
    if (copy !== undefined || dirname(at) === at) return copy;
  }
}

/** Reads the package at a path, links followed; `undefined` if there is none or it is unreadable. */
function copyAt(link: string): PackageFolder | undefined {
  const manifest = manifestAt(link);
  const version = textOf(manifest?.["version"]);
  if (version === undefined || !isExactVersion(version)) return undefined;
  return { path: realPathOf(link), link, version, name: textOf(manifest?.["name"]) ?? "" };
}

/** Reads the manifest of a package, which may lie in a readable folder above or in pnpm's store. */
function manifestAt(link: string): Manifest | undefined {
  // The link may lead to another version later.
  noteRead(join(link, "package.json"));
  // A broken link leads nowhere.
  const folder = exists(link) ? orElse(() => realPathOf(link), undefined) : undefined;
  return folder !== undefined && isReadable(folder)
    ? readManifest(folder, "package.json")
    : undefined;
}

/** The folders whose `node_modules` may have packages of the project. */
function basesOf(project: Project): string[] {
  const { cwd } = project;
  const members = packageFacts(project).members.map((folder) => join(cwd, folder));
  return [cwd, ...members, ...foldersUp(cwd).slice(1)];
}

/** The path of a package in the nearest `node_modules` that has it, readable or not. */
export function installedLink(project: Project, name: string): string | undefined {
  return basesOf(project).map((base) => join(base, "node_modules", name)).find(exists);
}

/** The folders to permit for an installed package: those above the project, and pnpm's store. */
export function foldersToPermit({ cwd }: Project, name: string, link: string): string[] {
  const base = link.slice(0, -join("node_modules", name).length - 1);
  const real = orElse(() => realPathOf(link), link);
  const [, store] = /^(.*[\\/]pnpm[\\/]store[\\/]v\d+[\\/]links)[\\/]/.exec(real) ?? [];
  const [, modules] = /^(.*?[\\/]node_modules)[\\/]/.exec(real) ?? [];
  const isNear = isInside(base, real) || isInside(cwd, real);
  return [...(isInside(cwd, base) ? [] : [base]), ...(isNear ? [] : [store ?? modules ?? real])];
}

const modes = new WeakMap<Project, boolean>();

/**
 * Whether packages are those that the project has installed: its code is trusted, and Deno resolves
 * packages in `node_modules`, which is only detectable if some are installed.
 */
export function takesFromDisk(project: Project): boolean {
  return project.code.trust && modes.getOrInsertComputed(
    project,
    () => recordInto(project.reads, () => installedNames(project).slice(0, 12).some(isOnDisk)),
  );
}

/** The packages of the project that lie in a `node_modules`, readable or not. */
export function installedNames(project: Project): string[] {
  return namedPackages(project).filter((name) => installedLink(project, name) !== undefined);
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
