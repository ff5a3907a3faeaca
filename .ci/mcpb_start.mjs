/**
 * Starts the server from a desktop bundle: finds Deno, and hands it the arguments of
 * the manifest. It runs on the Node that the client brings.
 *
 *     node start.mjs <folder> <arguments for deno, with {folder} for the folder>
 */

import { spawn, spawnSync } from "node:child_process";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import process from "node:process";

/** Set by the build: the oldest Deno that will do, and the one that npm brings. */
const OLDEST = "{oldest}";
const TESTED = "{tested}";

const windows = process.platform === "win32";
const [folder, ...template] = process.argv.slice(2);
if (folder === undefined || !isAbsolute(folder)) {
  fail("Choose the folder of the project in the extension's settings");
}

// A comma divides the paths of a permission, and nothing escapes it: "/home/ada,/" would grant "/".
if (folder.includes(",")) {
  fail(`Choose a folder without a comma in its path, which permissions cannot name: ${folder}`);
}

const args = template.map((arg) => arg.replaceAll("{folder}", () => folder));
// Not started in the folder: programs of the project are not to be found before those of the system.
const [command, ...before] = findDeno();
const child = spawn(command, [...before, ...args], { stdio: "inherit" });
child.on("error", (error) => fail(`Deno cannot be started: ${error.message}`));
child.on("exit", (code, signal) => process.exit(signal === null ? code ?? 1 : 1));
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));

/** An installed Deno that is new enough, wherever installers put it; else the one from npm. */
function findDeno() {
  const name = windows ? "deno.exe" : "deno";
  const places = [
    "deno",
    join(homedir(), ".deno", "bin", name),
    ...(windows ? [] : ["/opt/homebrew/bin/deno", "/usr/local/bin/deno", "/usr/bin/deno"]),
  ];
  const found = places.find(isNewEnough);
  if (found !== undefined) return [found];
  return windows ? ["cmd", "/c", "npx", "-y", `deno@${TESTED}`] : ["npx", "-y", `deno@${TESTED}`];
}

function isNewEnough(deno) {
  const { stdout } = spawnSync(deno, ["--version"], { encoding: "utf8" });
  const [, version] = /^deno ([\d.]+)/.exec(stdout ?? "") ?? [];
  return version !== undefined && version.localeCompare(OLDEST, "en", { numeric: true }) >= 0;
}

function fail(message) {
  process.stderr.write(`Error: ${message}.\n`);
  process.exit(1);
}
