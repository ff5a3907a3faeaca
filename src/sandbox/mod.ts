/**
 * What packages get in this process in place of the modules and globals that they would disturb
 * the server with: output and exits that belong to the call, an environment, files that are
 * written whole, and no programs.
 *
 * Packages in the process are trusted: these replacements keep their accidents from the server and
 * from the project. Code that is not trusted runs in a Worker, where the runtime's permissions hold
 * (`worker.ts`).
 *
 * @module
 */

import process from "node:process";
import { RefraktError } from "../errors.ts";
import { enterProject } from "./call.ts";
import { replaceModule } from "./modules.ts";
import { packageFs } from "./package_fs.ts";
import { guardProcess } from "./process.ts";

let isEntered = false;

/**
 * Puts the replacements in place. Call it before the first package is imported; later calls only
 * change the project that packages are held to outside of calls.
 *
 * @param projectRoot The project's real, absolute directory.
 * @param extra Further modules to replace, by name: in a Worker, whoever imports them.
 */
export function enterSandbox(
  projectRoot: string,
  extra?: Readonly<Record<string, Record<string, unknown>>>,
): void {
  enterProject(projectRoot);
  if (isEntered) return;
  isEntered = true;
  guardProcess();
  const { fs, promises } = packageFs();
  const modules: Record<string, Record<string, unknown>> = {
    "child_process": noPrograms(),
    fs,
    "fs/promises": promises,
    ...extra,
  };
  for (const [name, exports] of Object.entries(modules)) {
    replaceModule({
      specifiers: [name, `node:${name}`],
      // Who imports can be made up, and our own modules do not need the real ones in a Worker.
      from: (parent) => extra !== undefined || !isOwn(parent),
      exports,
    });
  }
  const getBuiltin = process.getBuiltinModule.bind(process) as (name: string) => unknown;
  Object.defineProperty(process, "getBuiltinModule", {
    configurable: true,
    value: (name: string) => modules[name.replace(/^node:/, "")] ?? getBuiltin(name),
  });
}

/** The exports of `node:child_process`: packages run no programs, git included. */
function noPrograms(): Record<string, unknown> {
  const names = ["exec", "execFile", "execFileSync", "execSync", "fork", "spawn", "spawnSync"];
  const refuse = (program: unknown) => {
    throw new RefraktError(
      "PERMISSION_DENIED",
      `Packages run no programs here: ${JSON.stringify(String(program).slice(0, 200))}`,
      { hint: "Run the command in a terminal: npx refrakt …" },
    );
  };
  return {
    ...Object.fromEntries(names.map((name) => [name, refuse])),
    ChildProcess: class ChildProcess {},
  };
}

/** Our own modules, and what is published with them, keep the real ones. */
function isOwn(parent: string): boolean {
  return OWN_FOLDERS.some((folder) => parent.startsWith(folder));
}

const OWN_FOLDERS = ["../../src/", "../../plugins/"].map((folder) =>
  new URL(folder, import.meta.url).href
);
