/** What to run to install packages, with the package manager of the project. */

import { join } from "node:path";
import { word } from "../plain_text.ts";
import { exists } from "../io/paths.ts";
import type { Project } from "../plugin/project.ts";
import { foldersUp, packageFacts } from "./manifests.ts";
import { isFirstParty } from "./names.ts";

/** Lock files, and how their package manager installs the project and adds a package. */
const MANAGERS = [
  ["pnpm-lock.yaml", "pnpm install", "pnpm add --save-dev"],
  ["yarn.lock", "yarn install", "yarn add --dev"],
  ["bun.lock", "bun install", "bun add --dev"],
  ["bun.lockb", "bun install", "bun add --dev"],
] as const;

/**
 * How to install packages, as a sentence. A name that neither refrakt nor `package.json` vouches for
 * may be a stranger's on the registry, so no command installs it.
 */
export function installStep(project: Project, names: readonly string[]): string {
  if (usesPnp(project)) return PNP;
  const { declared } = packageFacts(project);
  const isDeclared = (name: string) => declared.some((each) => each.name === name);
  const [whole, add] = managerOf(project);
  const own = names.filter((name) => name === project.own?.name);
  const others = names.filter((name) => !own.includes(name));
  const added = others.filter((name) => isFirstParty(name) && !isDeclared(name));
  const unknown = others.filter((name) => !isFirstParty(name) && !isDeclared(name));
  return [
    ...(others.some(isDeclared) ? [`Install the project: ${whole}.`] : []),
    ...(added.length === 0 ? [] : [`Install it: ${add} ${added.join(" ")}.`]),
    ...(unknown.length === 0 ? [] : [
      unknown.length > 1 && unknown.length === names.length
        ? "They are not in package.json. Add those that you know there, or take them out of " +
          "refrakt.config.json."
        : `${
          unknown.map(word).join(", ")
        }: not in package.json. Add it there if you know whose package ` +
          "that is, or take it out of refrakt.config.json.",
    ]),
    ...(own.length === 0 ? [] : [
      `${own[0]} is this project itself: give its path, such as ".", in refrakt.config.json.`,
    ]),
  ].join(" ");
}

/** Whether Yarn keeps the project's packages in archives. */
export function usesPnp({ cwd }: Project): boolean {
  return foldersUp(cwd).some((folder) => exists(join(folder, ".pnp.cjs")));
}

const PNP =
  "Yarn keeps packages in zips, which Deno does not load: set nodeLinker: node-modules in " +
  ".yarnrc.yml, and run yarn install.";

function managerOf({ cwd }: Project): readonly [whole: string, add: string] {
  const folders = foldersUp(cwd);
  const found = MANAGERS.find(([lock]) => folders.some((folder) => exists(join(folder, lock))));
  return found === undefined ? ["npm install", "npm install --save-dev"] : [found[1], found[2]];
}
