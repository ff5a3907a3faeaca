/**
 * What packages in this process get instead of the real modules and globals: captured output and
 * exits, an environment, atomic file writes, and no programs.
 *
 * The replacements only prevent accidents: packages in the process are trusted, and their limits are
 * Deno's permissions.
 */

import Module from "node:module";
import process from "node:process";
import * as workerThreads from "node:worker_threads";
import { RefraktError } from "../errors.ts";
import { lazily, nodeModule } from "../io/lazily.ts";
import { checkFile, isOfEmbedder, isOwn, isOwnProcess, replaceModule } from "./replaced_modules.ts";
import { packageFs } from "./package_fs.ts";
import { guardProcess } from "./package_process.ts";

type Exports = Record<string, unknown>;
type AnyFunction = (...args: unknown[]) => unknown;

/** Installs the replacements, once: before any package is imported. */
export const installStandIns = lazily((): void => {
  const { fs, promises } = packageFs();
  const modules: Record<string, Exports> = {
    "child_process": noPrograms(),
    fs,
    "fs/promises": promises,
    process: guardProcess(),
  };
  replaceAll(modules);
  // A program that embeds the server keeps its Workers and hooks.
  if (isOwnProcess()) {
    const loaders = guardLoaders();
    replaceAll(loaders);
    Object.assign(modules, loaders);
  }
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

function replaceAll(modules: Readonly<Record<string, Exports>>): void {
  for (const [name, exports] of Object.entries(modules)) {
    const specifiers = [name, `node:${name}`];
    replaceModule({ specifiers, from: (parent) => !isOwn(parent), exports });
  }
}

/** A function that packages may not call. */
function refuse(what: string, hint = "Every import is checked: see SECURITY.md."): () => never {
  return () => {
    throw new RefraktError("PERMISSION_DENIED", `Packages may not ${what}`, { hint });
  };
}

/** `node:child_process` for packages: they run no programs, not even git. */
function noPrograms(): Exports {
  const names = ["exec", "execFile", "execFileSync", "execSync", "fork", "spawn", "spawnSync"];
  const refused = refuse(
    "run programs here",
    "Run the command in a terminal: npx --package=@refrakt-md/cli refrakt …",
  );
  return {
    ...Object.fromEntries(names.map((name) => [name, (...args: unknown[]) => {
      if (!isOfEmbedder()) return refused();
      const real = nodeModule("node:child_process") as unknown as Record<string, AnyFunction>;
      return real[name]!(...args);
    }])),
    ChildProcess: class ChildProcess {},
  };
}

/** No Workers, no other hooks, and no loader of CommonJS that skips the check. */
function guardLoaders(): Record<string, Exports> {
  const noWorker = class Worker {
    constructor() {
      refuse("start Workers")();
    }
  };
  Object.defineProperty(globalThis, "Worker", { value: noWorker, configurable: true });
  const noHooks = refuse("register module hooks");
  Object.assign(Module, { registerHooks: noHooks, register: noHooks });
  type Handler = (module: unknown, path: string) => unknown;
  const { _extensions: handlers } = Module as unknown as { _extensions: Record<string, Handler> };
  for (const [ending, load] of Object.entries(handlers)) {
    handlers[ending] = function (this: unknown, module, path) {
      checkFile(path);
      return load.call(this, module, path);
    };
  }
  return {
    module: { ...Module, default: Module },
    worker_threads: { ...workerThreads, default: undefined, Worker: noWorker },
  };
}
