/**
 * What packages in this process get instead of the real modules and globals: captured output and
 * exits, an environment, atomic file writes, and no programs.
 *
 * The replacements only prevent accidents: packages in the process are trusted, and their limits are
 * Deno's permissions.
 */

import { quotedName } from "../plain_text.ts";
import process from "node:process";
import { RefraktError } from "../errors.ts";
import { lazily } from "../io/lazily.ts";
import { nodeModule } from "../io/node_module.ts";
import { isOwn, isOwnProcess, replaceModule } from "./replaced_modules.ts";
import { packageFs } from "./package_fs.ts";
import { guardLoaders, packageModule, packageThreads } from "./package_module.ts";
import { guardProcess } from "./package_process.ts";

/** Installs the replacements, once: before any package is imported. */
export const installStandIns = lazily((): void => {
  const processModule = guardProcess();
  const { fs, promises } = packageFs();
  const modules: Record<string, Record<string, unknown>> = {
    "child_process": noPrograms(),
    fs,
    "fs/promises": promises,
    process: processModule,
  };
  // A program that embeds the server keeps its Workers and hooks.
  if (isOwnProcess()) {
    Object.assign(modules, { module: packageModule(), worker_threads: packageThreads() });
  }
  for (const [name, exports] of Object.entries(modules)) {
    replaceModule({
      specifiers: [name, `node:${name}`],
      from: (parent) => !isOwn(parent),
      exports,
    });
  }
  if (isOwnProcess()) guardLoaders();
  // From now on it is the real one for our own code only.
  nodeModule("node:process");
  Object.defineProperty(process, "getBuiltinModule", {
    configurable: true,
    value: (name: string) => {
      const exports = modules[name.replace(/^node:/, "")];
      return exports === undefined ? nodeModule(name) : exports["default"] ?? exports;
    },
  });
});

/** `node:child_process` for packages: they run no programs, not even git. */
function noPrograms(): Record<string, unknown> {
  const names = ["exec", "execFile", "execFileSync", "execSync", "fork", "spawn", "spawnSync"];
  const refuse = (program: unknown) => {
    throw new RefraktError(
      "PERMISSION_DENIED",
      `Packages may not run programs here: ${quotedName(String(program))}`,
      { hint: "Run the command in a terminal: npx --package=@refrakt-md/cli refrakt …" },
    );
  };
  return {
    ...Object.fromEntries(names.map((name) => [name, refuse])),
    ChildProcess: class ChildProcess {},
  };
}
