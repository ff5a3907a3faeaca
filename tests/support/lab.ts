/**
 * The real packages, installed by npm into a folder that is kept between runs, and the real CLI
 * in it, run by Node, as the reference for answers.
 */

import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { once } from "./lock.ts";
import { type Run, runProcess } from "./process.ts";

export const LAB_VERSION = "0.25.1";

const PACKAGES = ["cli", "docs", "lumina", "marketing", "plan"];
const ROOT = fileURLToPath(new URL("../../", import.meta.url));

export const LAB = join(ROOT, ".deno-lab");

let ready: Promise<string> | undefined;

/** Installs the packages, once; returns the folder. */
export function lab(): Promise<string> {
  return ready ??= install();
}

export async function runCli(cwd: string, ...args: string[]): Promise<Run> {
  return await runProcess("node", [await cliPath(), ...args], cwd);
}

/**
 * Runs many commands in one Node process through the entry point of the CLI (default: the lab's).
 */
export async function askOracle(
  cwd: string,
  commands: string[][],
  cli: string | undefined = undefined,
): Promise<Run[]> {
  const script = fileURLToPath(new URL("./oracle.mjs", import.meta.url));
  const { code, stdout, stderr } = await runProcess(
    "node",
    [script, cli ?? await cliPath()],
    cwd,
    JSON.stringify(commands),
  );
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

async function install(): Promise<string> {
  await Deno.mkdir(LAB, { recursive: true });
  await once(join(LAB, "installing"), isInstalled, async () => {
    const dependencies = Object.fromEntries(
      PACKAGES.map((name) => [`@refrakt-md/${name}`, LAB_VERSION]),
    );
    await Deno.writeTextFile(
      join(LAB, "package.json"),
      JSON.stringify({ name: "lab", private: true, dependencies }, null, 2),
    );
    const flags = ["--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error"];
    const { code, stderr } = await runProcess("npm", ["install", ...flags], LAB);
    if (code !== 0) throw new Error(`npm install failed in ${LAB}: ${stderr}`);
    // 50 MB of parsers that no test needs.
    await Deno.remove(join(LAB, "node_modules/tree-sitter-wasms"), { recursive: true });
    await Deno.writeTextFile(join(LAB, "installed"), LAB_VERSION);
  });
  return LAB;
}

async function isInstalled(): Promise<boolean> {
  try {
    return await Deno.readTextFile(join(LAB, "installed")) === LAB_VERSION;
  } catch {
    return false;
  }
}
