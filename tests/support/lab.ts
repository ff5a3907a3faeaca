/**
 * The real packages, installed by npm into a folder that is kept between runs, and the real CLI
 * in it, run by Node, as the reference for answers.
 */

import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { once } from "./lock.ts";
import { type Run, runProcess } from "./process.ts";

export const LAB_VERSION = "0.25.1";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

export const LAB = join(ROOT, ".deno-lab");

let ready: Promise<string> | undefined;

/** Installs the packages, once; returns the folder. */
export function lab(): Promise<string> {
  const names = ["cli", "docs", "lumina", "marketing", "plan"];
  const dependencies = names.map((name) => [`@refrakt-md/${name}`, LAB_VERSION]);
  return ready ??= npmFolder(LAB, Object.fromEntries(dependencies));
}

/** Installs packages from npm into a folder, once, also beside another test file; returns it. */
export async function npmFolder(
  folder: string,
  dependencies: Readonly<Record<string, string>>,
): Promise<string> {
  const manifest = JSON.stringify({ name: "lab", private: true, dependencies });
  const [installed, lock] = ["installed", "installing"].map((name) => join(folder, name));
  await Deno.mkdir(folder, { recursive: true });
  const isDone = () => Deno.readTextFile(installed!).then((text) => text === manifest, () => false);
  await once(lock!, isDone, async () => {
    await Deno.writeTextFile(join(folder, "package.json"), manifest);
    const flags = ["--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error"];
    const { code, stderr } = await runProcess("npm", ["install", ...flags], folder);
    if (code !== 0) throw new Error(`npm install failed in ${folder}: ${stderr}`);
    await Deno.writeTextFile(installed!, manifest);
  });
  return folder;
}

export async function runCli(cwd: string, ...args: string[]): Promise<Run> {
  return await runProcess("node", [await cliPath(), ...args], cwd);
}

/** Runs many commands in one Node process through the entry point of the CLI, by default the lab's. */
export async function askOracle(
  cwd: string,
  commands: string[][],
  cli?: string,
): Promise<Run[]> {
  const script = fileURLToPath(new URL("./oracle.mjs", import.meta.url));
  const args = [script, cli ?? await cliPath()];
  const { code, stdout, stderr } = await runProcess("node", args, cwd, JSON.stringify(commands));
  if (code !== 0) throw new Error(`The oracle failed: ${stderr}`);
  return JSON.parse(stdout) as Run[];
}

/** Copies packages of the lab into a project's `node_modules`, without their dependencies. */
export async function installFromLab(dir: string, ...names: string[]): Promise<void> {
  const from = await lab();
  for (const name of names) {
    const target = join(dir, "node_modules", name);
    await Deno.mkdir(join(target, ".."), { recursive: true });
    await copyDir(join(from, "node_modules", name), target);
  }
}

async function copyDir(from: string, to: string): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  for await (const entry of Deno.readDir(from)) {
    if (entry.name === "node_modules") continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory) await copyDir(source, target);
    else if (!entry.name.endsWith(".map")) await Deno.copyFile(source, target);
  }
}

async function cliPath(): Promise<string> {
  return join(await lab(), "node_modules/@refrakt-md/cli/dist/bin.js");
}
