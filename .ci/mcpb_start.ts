/**
 * Starts the server from a desktop bundle: finds Deno, and passes it the arguments of the manifest.
 * Runs on the Node of the client; `mcpb.ts` bundles it.
 *
 *     node start.mjs <folder> <arguments for deno, with {folder} for the folder>
 */

import { spawn, spawnSync } from "node:child_process";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import process from "node:process";
import { denoByNpx, requireForCmd } from "../src/host/shell.ts";
import { runtimeProblem } from "../src/runtime.ts";

const isWindows = process.platform === "win32";

/** Where installers put Deno. */
const DENO_PATHS = [
  "deno",
  join(homedir(), ".deno", "bin", isWindows ? "deno.exe" : "deno"),
  ...(isWindows ? [] : ["/opt/homebrew/bin/deno", "/usr/local/bin/deno", "/usr/bin/deno"]),
];

try {
  start(process.argv.slice(2));
} catch (error) {
  fail(error);
}

function start([folder, ...template]: string[]): void {
  if (folder === undefined || !isAbsolute(folder)) {
    throw new Error("Choose the folder of the project in the extension's settings");
  }
  // A comma divides the paths of a permission, and nothing escapes it: "/home/ada,/" would grant "/".
  if (folder.includes(",")) {
    throw new Error(
      `Choose a folder without a comma in its path, which permissions cannot name: ${folder}`,
    );
  }
  const installed = DENO_PATHS.find(isNewEnough);
  const deno = installed === undefined
    ? denoByNpx(isWindows ? "windows" : "linux")
    : { command: installed, args: [] };
  const args = [...deno.args, ...template.map((arg) => arg.replaceAll("{folder}", () => folder))];
  requireForCmd({ command: deno.command, args });
  // Starts in the client's folder, so that no program of the project is found before the system's.
  const child = spawn(deno.command, args, { stdio: "inherit" });
  child.on("error", (error) => fail(new Error(`Deno cannot be started: ${error.message}`)));
  child.on("exit", (code, signal) => process.exit(signal === null ? code ?? 1 : 1));
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => child.kill(signal));
  }
}

function isNewEnough(deno: string): boolean {
  const { stdout } = spawnSync(deno, ["--version"], { encoding: "utf8" });
  const version = /^deno ([\d.]+)/.exec(stdout ?? "")?.[1];
  return version !== undefined && runtimeProblem(version) === undefined;
}

function fail(error: unknown): void {
  const { message, hint } = error as Error & { hint?: string };
  process.stderr.write(`Error: ${message}.\n${hint === undefined ? "" : `${hint}\n`}`);
  process.exit(1);
}
