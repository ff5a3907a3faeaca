/**
 * How the server is started in a project, so that it gets the project's own packages:
 * from `node_modules` where they are installed, from the registry where they are not.
 *
 * @module
 */

import { dirname, join } from "node:path";
import { statIfExists } from "../io/files.ts";
import { isInside } from "../io/paths.ts";
import { mayRead } from "../io/permissions.ts";
import { BUNDLED_PLUGINS, configuredPlugins } from "../project/config.ts";
import type { Project, Warning } from "../project/project.ts";
import { liesAbove, resolvedFile, takesFromDisk } from "./disk.ts";
import { packageFacts } from "./facts.ts";
import { FIRST_PARTY_SCOPE, isPackageName, PLAN_PACKAGE } from "./names.ts";
import { packageVersion } from "./versions.ts";

/** How packages are found, and why. */
export interface LaunchMode {
  /** Flags of `deno run`. Neither of them lets Deno write a lock file or a folder into the project. */
  readonly flags: readonly string[];
  /** Whether packages come from the project's `node_modules`. */
  readonly fromDisk: boolean;
  /** One sentence for a person. */
  readonly reason: string;
}

/**
 * The mode that fits a project.
 *
 * @param startsInside Whether Deno is started in the project: it looks for `node_modules`
 * from its own directory, whatever `--cwd` says.
 */
export function launchMode(project: Project, startsInside = true): LaunchMode {
  const installed = isInstalled(project);
  if (installed && startsInside) {
    return {
      flags: ["--no-config", "--node-modules-dir=manual"],
      fromDisk: true,
      reason: "The project's packages are installed: the server takes them from node_modules, " +
        "those of the workspace and linked ones too.",
    };
  }
  return {
    flags: ["--no-config"],
    fromDisk: false,
    reason: installed
      ? "The server is started outside of the project, where Deno does not find its " +
        "node_modules: it takes the packages from the registry, at the project's versions."
      : `${
        hasArchives(project)
          ? "Yarn's Plug'n'Play keeps packages in archives, which Deno does not read"
          : "The project has installed no refrakt packages"
      }: the server takes them from the registry, at the project's versions.${
        mayLieAbove(project)
          ? " If they are installed in a folder above, as in a workspace, start it with " +
            "--no-config --node-modules-dir=manual."
          : ""
      }`,
  };
}

/** Says where this process takes packages from the registry although the project has its own. */
export function launchWarnings(
  project: Project,
  standalone: boolean = Deno.build.standalone,
): Warning[] {
  if (standalone || takesFromDisk(project) || !launchMode(project).fromDisk) return [];
  return [{
    code: "LAUNCH_MODE",
    message: "The project's packages are installed, but this server takes packages from the " +
      "registry, at the same versions",
    hint: import.meta.url.startsWith("file:")
      ? "A server that runs from a checkout can do no other. The published one takes the " +
        "installed packages: deno run --no-config --node-modules-dir=manual … jsr:@refrakt/mcp."
      : isInside(project.cwd, Deno.cwd())
      ? "Start it with --no-config --node-modules-dir=manual."
      : "Deno looks for them from the directory that it is started in: start it in the project, " +
        "with --no-config --node-modules-dir=manual and without --cwd.",
  }];
}

/** Whether a manifest asks for packages that only a folder above can have locked, where nobody may look. */
function mayLieAbove(project: Project): boolean {
  const { declared, locked } = packageFacts(project);
  return declared.length > 0 && !mayRead(dirname(project.cwd)) &&
    !declared.some(({ name }) => locked(name) !== undefined);
}

/** Whether yarn has installed the project without a `node_modules`. */
function hasArchives({ cwd }: Project): boolean {
  try {
    return statIfExists(join(cwd, ".pnp.cjs")) !== null;
  } catch {
    return false;
  }
}

/** Whether one of the packages that the server needs lies in `node_modules`, here or above. */
function isInstalled(project: Project): boolean {
  const needed = [
    ...configuredPlugins(project.config).filter((name) => !BUNDLED_PLUGINS.includes(name)),
    ...packageFacts(project).declared.map(({ name }) => name)
      .filter((name) => name.startsWith(FIRST_PARTY_SCOPE)),
    PLAN_PACKAGE,
    `${FIRST_PARTY_SCOPE}runes`,
  ];
  const maySeeAbove = mayRead(dirname(project.cwd));
  return [...new Set(needed)].some((name) => {
    if (takesFromDisk(project) && resolvedFile(`npm:${name}@*`) !== undefined) return true;
    try {
      if (packageVersion(project, name).from.endsWith("node_modules")) return true;
    } catch {
      // It may lie above all the same.
    }
    return maySeeAbove && isPackageName(name) && liesAbove(project, name);
  });
}
