/** Which of the two ways to start a project needs: npm's packages alone, or with its own code. */

import { join } from "node:path";
import { orElse } from "../errors.ts";
import { listFolder } from "../io/files.ts";
import { asObject } from "../io/json.ts";
import { waitAtMost } from "../io/turns.ts";
import { isUnpublished } from "../packages/failures.ts";
import {
  installedCopy,
  lockedVersion,
  manifestProblem,
  neededPackages,
  readManifest,
  takesFromDisk,
} from "../packages/manifests.ts";
import { locate } from "../packages/located.ts";
import { DEFAULT_VERSION, isFirstParty, isPackageName } from "../packages/names.ts";
import { packageVersion } from "../packages/versions.ts";
import { pluginPackages } from "./discover.ts";
import { usesPnp } from "./serve_command.ts";
import { shortList } from "../plugin/counted.ts";
import type { Project, Warning } from "../plugin/project.ts";

/** How long npm is asked which versions it has, in milliseconds. */
const NPM_MS = 5000;

/** Whether a project needs `--trust`, and why, as a sentence. */
export async function startOf(
  project: Project,
): Promise<{ readonly trust: boolean; readonly sentence: string }> {
  const wanted = new Set([...neededPackages(project), ...pluginPackages(project).keys()]);
  const names = [...wanted].filter(isFirstParty);
  if (Deno.build.standalone) return { trust: false, sentence: binarySentence(project, names) };
  const isOnDisk = takesFromDisk(project);
  const linked = names.filter((name) => isLinked(project, name));
  const copies = names.filter((name) =>
    !linked.includes(name) && installedCopy(project, name) !== undefined
  );
  // Where Deno takes packages from the project, npm is not asked.
  const missing = isOnDisk ? [] : await unpublished(project, copies);
  const reasons = ownReasons(project);
  if (linked.length > 0) reasons.push(`${shortList(linked, 2)} of its workspace`);
  if (missing.length > 0) reasons.push(`${shortList(missing, 2)}, which npm does not have`);
  if (reasons.length > 0) {
    const pnp = usesPnp(project)
      ? "; and nodeLinker: node-modules in .yarnrc.yml, as Yarn's zips are not loaded"
      : "";
    return { trust: true, sentence: `The project needs --trust for ${reasons.join("; ")}${pnp}.` };
  }
  const sentence = isOnDisk
    ? "--trust loads the packages that the project has installed."
    : "The project needs no --trust: refrakt's packages are npm's, at its versions.";
  return { trust: false, sentence };
}

/** The versions in this binary, and those of the project. */
function binarySentence(project: Project, names: readonly string[]): string {
  const others = names.flatMap((name) => {
    const version = installedCopy(project, name)?.version ?? lockedVersion(project, name);
    return version === undefined || version === DEFAULT_VERSION ? [] : [`${name} ${version}`];
  });
  const inside = `This binary has refrakt's packages ${DEFAULT_VERSION} inside and loads no others`;
  if (others.length === 0) return `${inside}.`;
  return `${inside}: for ${shortList(others, 2)}, which the project has, run the server from JSR.`;
}

/** The code that the configuration names and that is not in npm's scope of refrakt. */
function ownReasons({ config, site, own: ownPackage }: Project): string[] {
  const names = new Set([...config?.packages ?? [], ...site?.themes ?? []]);
  const others = [...names].filter((name) => isPackageName(name) && !isFirstParty(name));
  const reasons = [...site?.modules ?? []];
  if (ownPackage?.kind === "plugin") reasons.push("its own plugin");
  if (others.length > 0) reasons.push(`${shortList(others, 2)}, not in the scope @refrakt-md`);
  return reasons;
}

/** Whether an installed package is a folder of the project's workspace. */
function isLinked(project: Project, name: string): boolean {
  const { path, link } = installedCopy(project, name) ?? {};
  return path !== undefined && path !== link && !/[\\/]node_modules[\\/]/.test(path);
}

/** The installed packages whose version npm does not have. */
async function unpublished(project: Project, names: readonly string[]): Promise<string[]> {
  const asked = names.map(async (name) => {
    const version = orElse(() => packageVersion(project, name), undefined);
    if (version === undefined) return name;
    try {
      await waitAtMost(NPM_MS, locate(version), () => undefined);
    } catch (error) {
      if (isUnpublished(error)) return `${name} ${version.version}`;
    }
    return [];
  });
  return (await Promise.all(asked)).flat();
}

/** Warnings about code of the project that is not loaded, and a manifest that cannot be read. */
export function startWarnings(project: Project): Warning[] {
  const warnings: Warning[] = [];
  const modules = project.code.trust ? [] : project.site?.modules ?? [];
  if (modules.length > 0) {
    const message = `Not loaded: ${modules.join(" and ")}, which is code of the project`;
    warnings.push({ code: "CODE_NOT_TRUSTED", message, hint: project.shell.trust() });
  }
  const problem = manifestProblem(project.cwd);
  if (problem !== undefined) {
    warnings.push({
      code: "CONFIG_INVALID",
      message: `package.json is not valid JSON: ${problem}`,
      hint: "Fix it: until then, versions of packages are read without it.",
    });
  }
  return warnings;
}

/** What a project replaces in packages by overrides and patches, by name. */
export function replacedPackages({ cwd }: Project): string[] {
  const root = readManifest(cwd) ?? {};
  const { overrides, patchedDependencies } = asObject(root["pnpm"]);
  const groups = [root["overrides"], root["resolutions"], overrides, patchedDependencies];
  const patches = listFolder(join(cwd, "patches")).flatMap(({ name }) =>
    /^(.*)\.patch$/.exec(name)?.[1]?.replace(/\+(?=\d[^+]*$)/, "@").replaceAll("+", "/") ?? []
  );
  return [...new Set([...groups.flatMap((each) => Object.keys(asObject(each))), ...patches])];
}
