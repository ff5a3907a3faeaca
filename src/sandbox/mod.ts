/**
 * What foreign code gets in this process instead of what could do harm: other
 * modules, other streams, no way to end it. In the server's own process these are
 * guards against accidents, because code that shares a process can get around them;
 * what holds against intent is the runtime's permissions, and a Worker that has fewer
 * of them (`worker.ts`). SECURITY.md says what is promised to whom.
 *
 * @module
 */

import Module, * as moduleModule from "node:module";
import process, * as processModule from "node:process";
import * as workerThreads from "node:worker_threads";
import { currentCall } from "./call.ts";
import { childProcessModule } from "./child_process.ts";
import { checkPath, containedFs } from "./contained_fs.ts";
import { guardDeno } from "./guarded_deno.ts";
import { replaceModule } from "./modules.ts";
import { guardedWorker, guardProcess, refuse } from "./process_guard.ts";
import { refuseRawStreams, ttyModule } from "./raw_streams.ts";
import { sqliteModule } from "./sqlite.ts";

let root: string | undefined;

/**
 * Puts every guard in place. It has to be called before the first plugin is
 * imported; later calls only change the project that plugins are held to.
 *
 * @param projectRoot The real, absolute directory of the project.
 */
export function enterSandbox(projectRoot: string): void {
  const first = root === undefined;
  root = projectRoot;
  if (!first) return;
  const rootOf = () => currentCall()?.root ?? root!;
  const check = (path: unknown) => checkPath(rootOf(), path);
  guardProcess();
  guardDeno(check);
  refuseRawStreams();
  const { fs, promises } = containedFs(rootOf);
  const Worker = guardedWorker(workerThreads.Worker);
  const threads = { ...workerThreads, Worker };
  const modules: Record<string, Record<string, unknown>> = {
    "child_process": childProcessModule(rootOf),
    "fs": fs,
    "fs/promises": promises,
    "module": moduleExports(),
    // The names that were imported before keep what they were; these are of the guarded object.
    "process": { ...processModule, ...ownFunctions(process), default: process },
    "sqlite": sqliteModule(check),
    "tty": ttyModule(),
    "worker_threads": { ...threads, default: threads },
  };
  for (const [name, exports] of Object.entries(modules)) {
    replaceModule({
      specifiers: [name, `node:${name}`],
      from: (parent) => !isOwn(parent),
      exports,
    });
  }
  const getBuiltin = process.getBuiltinModule.bind(process) as (name: string) => unknown;
  Object.defineProperty(process, "getBuiltinModule", {
    configurable: true,
    value: (name: string) => modules[plainName(name)] ?? getBuiltin(name),
  });
}

function plainName(specifier: string): string {
  return specifier.replace(/^node:/, "");
}

/** A plugin that registers hooks of its own could undo these. */
function moduleExports(): Record<string, unknown> {
  for (const name of ["register", "registerHooks"] as const) {
    Object.defineProperty(Module, name, {
      value: () => refuse("change how modules are loaded"),
      configurable: true,
    });
  }
  const { register, registerHooks } = Module;
  return { ...moduleModule, register, registerHooks, default: Module };
}

/** The functions and values of the process object as they are now, by name. */
function ownFunctions(target: object): Record<string, unknown> {
  const names = ["abort", "env", "exit", "kill", "reallyExit", "stdin", "stdout"];
  return Object.fromEntries(names.map((name) => [name, (target as Record<string, unknown>)[name]]));
}

/** Our own modules, and what is published with them, keep the real ones. */
function isOwn(parent: string): boolean {
  return OWN_FOLDERS.some((folder) => parent.startsWith(folder));
}

const OWN_FOLDERS = ["../../src/", "../../plugins/", "../../third_party/"].map((folder) =>
  new URL(folder, import.meta.url).href
);
