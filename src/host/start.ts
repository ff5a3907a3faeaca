/** Which of the two ways to start a project needs: npm's packages alone, or with its own code. */

import { orElse } from "../errors.ts";
import { waitAtMost } from "../io/wait.ts";
import { ownModules, themesOf } from "../plugin/code_policy.ts";
import { configuredPackages } from "../plugin/config.ts";
import type { Project, Warning } from "../plugin/project.ts";
import { isUnpublished } from "../packages/failures.ts";
import { installedCopy, neededPackages, takesFromDisk, usesPnp } from "../packages/installed.ts";
import { locate } from "../packages/located.ts";
import { manifestProblem } from "../packages/manifests.ts";
import { DEFAULT_VERSION, isFirstParty, isPackageName } from "../packages/names.ts";
import { packageVersion } from "../packages/versions.ts";

/** The way to start that a project needs. */
export interface Start {
  /** Whether it needs `--trust`. */
  readonly trust: boolean;
  /** Which of the two ways, and why. */
  readonly sentence: string;
}

/** How long npm is asked which versions it has, in milliseconds. */
const NPM_MS = 5000;

/** Says which of the two ways to start a project needs, and why. */
export async function startOf(project: Project): Promise<Start> {
  if (Deno.build.standalone) return { trust: false, sentence: binarySentence(project) };
  const reasons = [
    ...ownReasons(project),
    ...workspaceReason(project),
    ...await unpublishedReason(project),
  ].join("; ");
  if (reasons !== "") {
    const pnp = usesPnp(project)
      ? "; and nodeLinker: node-modules in .yarnrc.yml, as Yarn's zips are not loaded"
      : "";
    return { trust: true, sentence: `The project needs --trust for ${reasons}${pnp}.` };
  }
  const sentence = takesFromDisk(project)
    ? "--trust loads the packages that the project has installed."
    : "The project needs no --trust: refrakt's packages are npm's, at its versions.";
  return { trust: false, sentence };
}

/** The versions in this binary, and those of the project. */
function binarySentence(project: Project): string {
  const others = firstParty(project).flatMap((name) => {
    const version = installedCopy(project, name)?.version ?? DEFAULT_VERSION;
    return version === DEFAULT_VERSION ? [] : [`${name} ${version}`];
  });
  const inside = `This binary has refrakt's packages ${DEFAULT_VERSION} inside and loads no others`;
  return others.length === 0
    ? `${inside}.`
    : `${inside}: for ${listed(others)}, which the project has, run the server from JSR.`;
}

/** The code that the configuration names, and that npm's scope has not. */
function ownReasons({ config, site, own }: Project): string[] {
  const others = [...configuredPackages(config), ...themesOf(site)]
    .filter((name) => isPackageName(name) && !isFirstParty(name));
  return [
    ...ownModules(site),
    ...(own?.kind === "plugin" || own?.kind === "theme" ? [`its own ${own.kind}`] : []),
    ...(others.length === 0
      ? []
      : [`${listed([...new Set(others)])}, not in the scope @refrakt-md`]),
  ];
}

/** Packages of refrakt's that are linked to folders of the project. */
function workspaceReason(project: Project): string[] {
  const linked = firstParty(project).filter((name) => isLinked(project, name));
  return linked.length === 0 ? [] : [`${listed(linked)} of its workspace`];
}

function isLinked(project: Project, name: string): boolean {
  const { path, link } = installedCopy(project, name) ?? {};
  return path !== undefined && path !== link && !/[\\/]node_modules[\\/]/.test(path);
}

/** Installed versions that npm does not have. Where Deno takes packages from the project, it is not asked. */
async function unpublishedReason(project: Project): Promise<string[]> {
  if (takesFromDisk(project)) return [];
  const others = firstParty(project).filter((name) =>
    installedCopy(project, name) !== undefined && !isLinked(project, name)
  );
  const asked = others.map(async (name) => {
    const version = orElse(() => packageVersion(project, name), undefined);
    if (version === undefined) return name;
    try {
      await waitAtMost(NPM_MS, locate(version), () => undefined);
    } catch (error) {
      if (isUnpublished(error)) return `${name} ${version.version}`;
    }
    return [];
  });
  const missing = (await Promise.all(asked)).flat();
  return missing.length === 0 ? [] : [`${listed(missing)}, which npm does not have`];
}

function firstParty(project: Project): string[] {
  return neededPackages(project).filter(isFirstParty);
}

function listed(names: readonly string[]): string {
  const more = names.length - 2;
  return more > 0 ? `${names.slice(0, 2).join(", ")} and ${more} more` : names.join(" and ");
}

/** Warnings about code of the project that is not loaded, and a manifest that cannot be read. */
export function startWarnings(project: Project): Warning[] {
  const warnings: Warning[] = [];
  const own = project.code.trust ? [] : ownModules(project.site);
  if (own.length > 0) {
    const message = `Not loaded: ${own.join(" and ")}, which is code of the project`;
    warnings.push({ code: "CODE_NOT_TRUSTED", message, hint: project.shell.trust() });
  }
  const problem = manifestProblem(project.cwd);
  if (problem !== undefined) {
    warnings.push({
      code: "CONFIG_INVALID",
      message: `package.json is not valid JSON: ${problem}`,
      hint: "Mend it: until then, versions of packages are read without it.",
    });
  }
  return warnings;
}
