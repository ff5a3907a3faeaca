/**
 * Makes foreign code safe to run in this process. See README.md for what this
 * promises and what it does not.
 *
 * @module
 */

import process from "node:process";
import * as workerThreads from "node:worker_threads";
import { currentCall } from "./call.ts";
import { childProcessModule } from "./child_process.ts";
import { containedFs } from "./contained_fs.ts";
import { replaceModule } from "./modules.ts";
import { guardedWorker, guardProcess } from "./process_guard.ts";

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
  guardProcess();
  const { fs, promises } = containedFs(rootOf);
  const Worker = guardedWorker(workerThreads.Worker);
  const threads = { ...workerThreads, Worker };
  const modules: Record<string, Record<string, unknown>> = {
    "child_process": childProcessModule(rootOf),
    "fs": fs,
    "fs/promises": promises,
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

/** Our own modules, and the SDK's, keep the real ones. */
function isOwn(parent: string): boolean {
  return OWN_FOLDERS.some((folder) => parent.startsWith(folder)) ||
    parent.includes("/@modelcontextprotocol/");
}

const OWN_FOLDERS = ["../../src/", "../../plugins/"].map((folder) =>
  new URL(folder, import.meta.url).href
);
