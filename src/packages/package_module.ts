/**
 * What packages get instead of `node:module` and Workers: nothing that would import past the check
 * of imports. Code that the user trusts may be hostile, and is limited by Deno's permissions; but
 * Deno does not check reading files in a folder called `node_modules`.
 */

import Module from "node:module";
import * as workerThreads from "node:worker_threads";
import { RefraktError } from "../errors.ts";
import { checkFile } from "./replaced_modules.ts";

type Exports = Record<string, unknown>;

function refuse(what: string) {
  return () => {
    throw new RefraktError("PERMISSION_DENIED", `Packages may not ${what}`, {
      hint: "Every import is checked: see SECURITY.md.",
    });
  };
}

/** `node:module` for packages. */
export function packageModule(): Exports {
  const replaced: Exports = {
    registerHooks: refuse("register module hooks"),
    register: refuse("register module hooks"),
  };
  const proxy: typeof Module = new Proxy(Module, {
    get: (target, key) => {
      if (key === "Module" || key === "default") return proxy;
      return typeof key === "string" && Object.hasOwn(replaced, key)
        ? replaced[key]
        : Reflect.get(target, key);
    },
  });
  return proxy as unknown as Exports;
}

/** `node:worker_threads` for packages: a Worker would not check its imports. */
export function packageThreads(): Exports {
  return { ...workerThreads, default: undefined, Worker: noWorkers() };
}

/** No Workers, no other hooks, and no loader of CommonJS that skips the check. */
export function guardLoaders(): void {
  Object.defineProperty(globalThis, "Worker", { value: noWorkers(), configurable: true });
  Object.assign(Module, { registerHooks: refuse("register module hooks") });
  type Handler = (module: unknown, path: string) => unknown;
  const { _extensions: handlers } = Module as unknown as { _extensions: Record<string, Handler> };
  for (const [ending, load] of Object.entries(handlers)) {
    handlers[ending] = function (this: unknown, module, path) {
      checkFile(path);
      return load.call(this, module, path);
    };
  }
}

function noWorkers(): unknown {
  return class Worker {
    constructor() {
      refuse("start Workers")();
    }
  };
}
