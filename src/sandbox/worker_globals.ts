/**
 * Removes from a Worker what Deno's permissions do not cover: the process's streams, directory,
 * signals and V8 flags, disk caches, nested Workers, and links out of the project.
 */

import * as fs from "node:fs";
import Module, * as moduleModule from "node:module";
import { dirname } from "node:path";
import process, * as processModule from "node:process";
import * as tty from "node:tty";
import * as v8 from "node:v8";
import * as workerThreads from "node:worker_threads";
import { RefraktError } from "../errors.ts";
import { checkImports } from "./modules.ts";
import { checkPath, refuseLinkedPackages } from "./package_fs.ts";

type AnyFunction = (...args: unknown[]) => unknown;

/** Deno functions that follow links, with the number of their path arguments. */
const PATHS: Readonly<Record<string, number>> = {
  ...{ chmod: 1, chown: 1, create: 1, mkdir: 1, open: 1, readDir: 1, readFile: 1, readTextFile: 1 },
  ...{ stat: 1, truncate: 1, utime: 1, watchFs: 1, writeFile: 1, writeTextFile: 1 },
  ...{ copyFile: 2, link: 2 },
};

/** Functions that act on a link itself; only its folder is checked. */
const ON_LINKS: Readonly<Record<string, number>> = { remove: 1, rename: 2, symlink: 2 };

/** Replacements of Node modules in Workers, by name. */
export function workerModules(): Record<string, Record<string, unknown>> {
  for (const name of ["register", "registerHooks"]) define(Module, name, refuse("hook imports"));
  const { register, registerHooks } = Module;
  const noDatabases = { DatabaseSync: refuse("open databases"), backup: refuse("open databases") };
  return {
    "module": { ...moduleModule, register, registerHooks, default: Module },
    "process": processExports(),
    "sqlite": withDefault(noDatabases),
    // A terminal uses file descriptors of the process, not of the Worker.
    "tty": withDefault({
      ...tty,
      ReadStream: refuse("open descriptors"),
      WriteStream: refuse("open descriptors"),
    }),
    "v8": withDefault({ ...v8, setFlagsFromString: refuse("set flags of V8") }),
    "worker_threads": withDefault({
      ...workerThreads,
      Worker: refuse("start Workers"),
      BroadcastChannel: undefined,
    }),
  };
}

/**
 * Removes the globals. Call it before importing code of the repository, and after `enterSandbox`,
 * which needs the streams.
 *
 * @param root The project's real, absolute directory.
 */
export function hardenWorker(root: string): void {
  closeStandardStreams();
  removeGlobals();
  ignoreSignals();
  checkLinks(root);
}

/**
 * Closes the standard streams: a Worker has its own descriptor table. Sockets use the process's
 * descriptors, and Deno's internals print without any.
 */
function closeStandardStreams(): void {
  for (const fd of [0, 1, 2]) {
    try {
      fs.closeSync(fd);
    } catch {
      // Already closed.
    }
  }
  const target = process as unknown as { binding(name: string): Record<string, unknown> };
  for (const [module, name] of [["pipe_wrap", "Pipe"], ["tcp_wrap", "TCP"]] as const) {
    const { prototype } = target.binding(module)[name] as { prototype: object };
    define(prototype, "open", refuse("open descriptors"));
  }
  define(process, "binding", refuse("reach into the runtime"));
  const { internal } = Deno as unknown as { internal: symbol };
  Reflect.deleteProperty(Deno, internal);
}

/** Removes what Deno has no permission for and what reaches beyond the Worker. */
function removeGlobals(): void {
  for (const name of ["addSignalListener", "removeSignalListener", "chdir"]) {
    Reflect.deleteProperty(Deno, name);
  }
  // A process may signal itself without any permission.
  for (const target of [Deno, process]) define(target, "kill", refuse("send signals"));
  for (const name of ["_kill", "_debugProcess", "_debugEnd", "_rawDebug", "openStdin"]) {
    define(process, name, refuse("reach the process"));
  }
  for (const name of ["BroadcastChannel", "Cache", "CacheStorage", "Worker", "caches"]) {
    Reflect.deleteProperty(globalThis, name);
  }
}

/** A signal listener would keep the whole process from ending. */
function ignoreSignals(): void {
  const prototype: object = Object.getPrototypeOf(process);
  for (const name of ["on", "addListener", "prependListener"]) {
    const original: unknown = Reflect.get(prototype, name);
    if (typeof original !== "function") continue;
    define(prototype, name, function (this: unknown, event: unknown, ...rest: unknown[]) {
      if (String(event).startsWith("SIG")) return this;
      return original.call(this, event, ...rest);
    });
  }
}

/** Deno follows existing links out of permitted folders. */
function checkLinks(root: string): void {
  refuseLinkedPackages();
  const check = (path: unknown) => {
    if (typeof path === "string" || path instanceof URL) checkPath(root, path);
  };
  const checkFolder = (path: unknown) =>
    check(path instanceof URL ? new URL(".", path) : dirname(String(path)));
  const target = Deno as unknown as Record<string, unknown>;
  for (const [functions, checkOne] of [[PATHS, check], [ON_LINKS, checkFolder]] as const) {
    for (const [base, count] of Object.entries(functions)) {
      for (const name of [base, `${base}Sync`]) {
        const original = target[name];
        if (typeof original !== "function") continue;
        define(Deno, name, (...args: unknown[]) => {
          try {
            args.slice(0, count).flat().forEach(checkOne);
          } catch (error) {
            if (name === base && base !== "readDir" && base !== "watchFs") {
              return Promise.reject(error);
            }
            throw error;
          }
          return original.apply(Deno, args);
        });
      }
    }
  }
  // Linked packages are loaded, but their other files are not readable.
  checkImports((url) => {
    if (!url.startsWith("file:")) return;
    const file = new URL(url);
    checkPath(root, file, /\.[cm]?[jt]sx?$/.test(file.pathname));
  });
  const { fetch } = globalThis;
  define(globalThis, "fetch", async (input: RequestInfo | URL, init?: RequestInit) => {
    const url = new URL(input instanceof Request ? input.url : input, "file:///");
    if (url.protocol === "file:") check(url);
    return await fetch(input, init);
  });
}

/** `node:process` for named imports: the properties of the current object. */
function processExports(): Record<string, unknown> {
  const exports: Record<string, unknown> = {};
  for (const name of Object.keys(processModule).filter((name) => name !== "default")) {
    Object.defineProperty(exports, name, {
      enumerable: true,
      get: () => {
        const value: unknown = Reflect.get(process, name);
        return typeof value === "function" ? value.bind(process) : value;
      },
    });
  }
  Object.defineProperty(exports, "default", { enumerable: true, value: process });
  return exports;
}

function withDefault(exports: Record<string, unknown>): Record<string, unknown> {
  return { ...exports, default: exports };
}

function define(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, configurable: true, writable: true });
}

/** Returns a function or class that throws. */
function refuse(what: string): AnyFunction {
  return function () {
    throw new RefraktError("PERMISSION_DENIED", `Code in a Worker may not ${what}`, {
      hint: "Code of the project runs in a Worker that may only read the project.",
    });
  };
}
