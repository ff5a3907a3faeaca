/**
 * Upstream's own projects: its site and plan with the packed packages of 0.29.0, and a built
 * checkout of its repository.
 */

import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { LAB } from "./lab.ts";
import { linkTree } from "./link_tree.ts";
import { once } from "./lock.ts";
import { exists } from "./project.ts";
import { runProcess } from "./process.ts";
import { temporaryFolder } from "./temporary.ts";

const PACKED = fileURLToPath(new URL("../../../shared/data/refrakt-0.29.0", import.meta.url));

/** Why there is no packed 0.29.0; `undefined` if there is. */
export const NOT_PACKED: string | undefined = exists(join(PACKED, "make-site.sh"))
  ? undefined
  : "the packages of refrakt 0.29.0 do not lie beside the checkout";

/** Upstream's own site and plan with the packed packages, in a copy that a test may change. */
export async function packedProject(): Promise<{ root: string; cli: string }> {
  const root = join(temporaryFolder(), "project");
  await run("git", "clone", "-q", await packed(), root);
  await run("git", "-C", root, "remote", "remove", "origin");
  await installPacked(root);
  return { root, cli: join(root, "node_modules/@refrakt-md/cli/dist/bin.js") };
}

/** A project as upstream's scaffolder leaves it, with the packages that it declares. */
export async function scaffold(kind: string): Promise<string> {
  const cwd = join(temporaryFolder(), kind);
  await run("bash", join(PACKED, "make-scaffold.sh"), kind, cwd, "--bare");
  const dependenciesOf = (folder: string): string[] => {
    const text = Deno.readTextFileSync(join(folder, "package.json"));
    const { dependencies, devDependencies } = JSON.parse(text);
    return Object.keys({ ...dependencies, ...devDependencies });
  };
  const modules = join(await packed(), "node_modules");
  const wanted = new Set(dependenciesOf(cwd));
  for (const name of wanted) {
    const folder = join(modules, name);
    if (!name.startsWith("@refrakt-md/") || !exists(folder)) continue;
    const { dependencies } = JSON.parse(Deno.readTextFileSync(join(folder, "package.json")));
    for (const each of Object.keys(dependencies ?? {})) wanted.add(each);
    linkTree(folder, join(cwd, "node_modules", name), () => true);
  }
  linkTree(modules, join(cwd, "node_modules"), (name) => name !== "@refrakt-md");
  return cwd;
}

/** Installs the packed packages and their dependencies into a project's `node_modules`. */
export async function installPacked(cwd: string): Promise<void> {
  linkTree(join(await packed(), "node_modules"), join(cwd, "node_modules"), () => true);
}

/** The folder of upstream's project, made once: npm takes ten seconds. */
async function packed(): Promise<string> {
  const folder = join(LAB, "packed");
  await Deno.mkdir(LAB, { recursive: true });
  await once(join(LAB, "packing"), () => Promise.resolve(exists(folder)), async () => {
    const made = `${folder}.new`;
    if (exists(made)) await Deno.remove(made, { recursive: true });
    await run("bash", join(PACKED, "make-site.sh"), made);
    await Deno.rename(made, folder);
  });
  return folder;
}

async function run(command: string, ...args: string[]): Promise<void> {
  const { code, stderr } = await runProcess(command, args, PACKED);
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} failed: ${stderr}`);
}
