/**
 * Chooses the flags that start the server with the project's packages: from `node_modules` if they
 * are installed, else from npm.
 */

import { resolve } from "node:path";
import { runGit } from "../io/git.ts";
import { repositoryOf } from "../io/git_settings.ts";
import { asObject, textOf } from "../io/json.ts";
import { isInside } from "../io/paths.ts";
import { mayRunGit } from "../io/permissions.ts";
import { hasOwnModules, LOCAL_CODE } from "../project/code_policy.ts";
import { configuredPackages } from "../project/config.ts";
import type { Project, Warning } from "../project/project.ts";
import { installedPackage, takesFromDisk } from "./installed.ts";
import { packageFacts } from "./manifests.ts";
import {
  DEFAULT_VERSION,
  FIRST_PARTY_SCOPE,
  isFirstParty,
  isPackageName,
  PLAN_PACKAGE,
} from "./names.ts";
import type { PackageVersion } from "./package.ts";
import { distrust } from "./trust.ts";

/** How packages are resolved, and why. */
export interface LaunchMode {
  /** Flags of `deno run`; they keep Deno from writing a lock file or folder into the project. */
  readonly flags: readonly string[];
  /** A sentence for people. */
  readonly reason: string;
}

/** Flags of `deno run` that take packages from `node_modules`. */
export const FROM_DISK: readonly string[] = ["--no-config", "--node-modules-dir=manual"];

/**
 * Nothing; in a parent folder, which is `root` if it is readable; packages from npm; or only the
 * repository's own.
 */
export interface Installation {
  readonly kind: "none" | "above" | "installed" | "repository";
  /** The absolute path of the repository, which has to be readable too. */
  readonly root?: string;
}

const ABOVE =
  " If they are installed in a folder above, as in a workspace, doctor sees them with " +
  "--allow-read=.,<root of the repository>.";

/** Detects what a project has installed, and whether the user or its origin lets it run here. */
export async function installationOf(project: Project): Promise<Installation> {
  const found = installedPackages(project, neededPackages(project));
  const own = found.filter(({ name }) => isFirstParty(name));
  for (const each of own) if (await distrust(each) === undefined) return whereIs(project, each);
  if (own.length > 0) return { kind: "repository" };
  const [other] = found;
  if (other !== undefined) return whereIs(project, other);
  const mayLieAbove = repositoryOf(project.cwd) !== project.cwd &&
    packageFacts(project).declared.length > 0;
  if (!mayLieAbove) return { kind: "none" };
  const root = await rootWithPackages(project.cwd);
  return { kind: "above", ...(root === undefined ? {} : { root }) };
}

/** What a server does not load of the project's code unless it is trusted, as values of `--trust`. */
export async function untrustedCode(project: Project): Promise<string[]> {
  const names = new Set(
    hasOwnModules(project.site) || project.own?.kind === "plugin" ? [LOCAL_CODE] : [],
  );
  const wanted = [...neededPackages(project), ...themesOf(project)];
  for (const found of installedPackages(project, wanted)) {
    // The name may be from the package's own manifest, and must not trust more than the package.
    const [trusted] = (await distrust(found))?.trustedAs ?? [];
    if (trusted !== undefined && trusted !== "all" && isPackageName(trusted)) names.add(trusted);
  }
  return [...names];
}

/** The repository above an unreadable folder, if git lists refrakt's packages in it. */
async function rootWithPackages(cwd: string): Promise<string | undefined> {
  if (!mayRunGit()) return undefined;
  const ask = async (args: readonly string[]) => {
    const { code, stdout } = await runGit(args, { cwd });
    return code === 0 ? new TextDecoder().decode(stdout).trim() : "";
  };
  try {
    const up = await ask(["rev-parse", "--show-cdup"]);
    if (up === "") return undefined;
    const packages = `${up}node_modules/${FIRST_PARTY_SCOPE.slice(0, -1)}`;
    const listed = await ask(["ls-files", "--others", "--directory", "--", packages]);
    return listed === "" ? undefined : resolve(cwd, up);
  } catch {
    // Without git nothing is known.
    return undefined;
  }
}

function installedPackages(project: Project, names: readonly string[]): PackageVersion[] {
  return names.filter(isPackageName).flatMap((name) => installedPackage(project, name) ?? []);
}

/** A package or its target above the project, as in a workspace, needs the repository readable. */
function whereIs({ cwd }: Project, { root, folder }: PackageVersion): Installation {
  const isHere = [folder!.link, folder!.path].every((path) => isInside(cwd, path));
  return isHere || root === undefined ? { kind: "installed" } : { kind: "above", root };
}

/**
 * Chooses the mode for a project.
 *
 * @param startsInside Whether Deno starts in the project: it searches `node_modules` from its own
 * directory, whatever `--cwd` says.
 */
export function launchMode({ kind, root }: Installation, startsInside = true): LaunchMode {
  if (startsInside && (kind === "installed" || root !== undefined)) {
    const place = root === undefined
      ? "node_modules"
      : "a folder above, with the repository readable";
    return {
      flags: FROM_DISK,
      reason: `The server loads the project's installed packages from ${place}.`,
    };
  }
  const reason = kind === "installed"
    ? "The server is started outside the project, where Deno does not find its " +
      "node_modules: it loads refrakt's packages from npm, at the project's versions."
    : kind === "repository"
    ? "The project's packages are code from the repository, so the server loads refrakt's from npm."
    : "The project has no refrakt packages installed: the server loads them from npm, at the " +
      `project's versions.${kind === "above" ? ABOVE : ""}`;
  return { flags: ["--no-config"], reason };
}

/** Warns if this process takes packages from npm although the project has installed them. */
export async function launchWarnings(project: Project): Promise<Warning[]> {
  const { standalone } = Deno.build;
  if (!standalone && takesFromDisk(project)) return [];
  const { kind, root } = await installationOf(project);
  if (kind !== "installed" && root === undefined) return [];
  return [{
    code: "LAUNCH_MODE",
    message: "The project has packages installed, but this process loads " +
      (standalone ? `its own ${DEFAULT_VERSION} of refrakt's` : "refrakt's packages from npm") +
      ", and no others",
    hint: standalone
      ? "A compiled binary cannot load them: run the server from JSR, deno run … jsr:@refrakt/mcp."
      : "Start the published server in the project, without --cwd: deno run --no-config " +
        "--node-modules-dir=manual … jsr:@refrakt/mcp.",
  }];
}

/**
 * The packages that the project's plan and sites name and that are not installed, where others are:
 * a server that takes packages from disk does not load them.
 */
export function uninstalled(project: Project, { kind, root }: Installation): string[] {
  if (kind !== "installed" && root === undefined) return [];
  const needed = [
    ...(project.plan === null ? [] : [PLAN_PACKAGE]),
    ...(project.site === null ? [] : [`${FIRST_PARTY_SCOPE}runes`]),
    ...configuredPackages(project.config),
    ...themesOf(project),
  ];
  return [...new Set(needed)].filter((name) =>
    isPackageName(name) && installedPackage(project, name) === undefined
  );
}

function themesOf({ site }: Project): string[] {
  return [...site?.sites.values() ?? []].flatMap(({ raw: { theme } }) =>
    textOf(asObject(theme)["package"] ?? theme) ?? []
  );
}

/** The packages that the server needs in a project. */
function neededPackages(project: Project): string[] {
  return [
    ...new Set([
      PLAN_PACKAGE,
      `${FIRST_PARTY_SCOPE}runes`,
      ...configuredPackages(project.config),
      ...packageFacts(project).declared.map(({ name }) => name).filter(isFirstParty),
    ]),
  ];
}
