/** A real plan, from bundles of its repository. */

import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { askOracle, lab } from "./lab.ts";
import { exists, git, makeProject } from "./project.ts";

const EXCERPT = fileURLToPath(new URL("../fixtures/plan-excerpt.bundle", import.meta.url));
const FULL = fileURLToPath(new URL("../../../shared/data/refrakt-plan.bundle", import.meta.url));

/** The bundle of the full plan, for benchmarks; `undefined` if it is not beside the checkout. */
export const PLAN_BUNDLE: string | undefined = exists(FULL) ? FULL : undefined;

/** A fresh clone of an excerpt of the real plan: a few dozen entities with their history. */
export function realPlan(): string {
  return cloneOf(EXCERPT);
}

export function fullPlan(): string {
  return cloneOf(PLAN_BUNDLE!);
}

function cloneOf(bundle: string): string {
  const parent = makeProject();
  git(parent, "clone", "-q", "-b", "main", bundle, "project");
  return join(parent, "project");
}

/** The CLI's JSON output; it finds its plugins in the project's `node_modules` meanwhile. */
export async function askCli(cwd: string, ...args: string[]): Promise<Record<string, unknown>> {
  const [answer] = await askCliAll(cwd, [args]);
  return answer!;
}

/** The CLI's JSON output for several commands, run one after the other. */
export async function askCliAll(
  cwd: string,
  commands: readonly (readonly string[])[],
): Promise<Record<string, unknown>[]> {
  const [manifest, modules] = [join(cwd, "package.json"), join(cwd, "node_modules")];
  if (!exists(modules)) {
    await Deno.writeTextFile(manifest, '{ "devDependencies": { "@refrakt-md/plan": "*" } }');
    await Deno.symlink(join(await lab(), "node_modules"), modules);
  }
  const answers = await askOracle(
    cwd,
    commands.map((args) => ["plan", ...args, "--format", "json"]),
  );
  return answers.map(({ stdout, stderr }, index) => {
    if (stdout === "") throw new Error(`${commands[index]!.join(" ")}: ${stderr}`);
    return JSON.parse(stdout);
  });
}

/** Removes what {@linkcode askCli} added to a project. */
export function withoutCli(cwd: string): void {
  for (const name of ["package.json", "node_modules"]) Deno.removeSync(join(cwd, name));
  for (const folder of [cwd, join(cwd, "plan")]) {
    if (!exists(folder)) continue;
    for (const { name } of Deno.readDirSync(folder)) {
      if (name.endsWith("-cache.json")) Deno.removeSync(join(folder, name));
    }
  }
}
