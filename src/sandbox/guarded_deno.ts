/**
 * What foreign code in this process gets for `Deno`'s own functions: no programs, no
 * files through links that leave the project. The runtime's permissions hold
 * besides; these catch what they leave open.
 *
 * @module
 */

import { dirname } from "node:path";
import { RefraktError } from "../errors.ts";
import { isStdioReserved } from "../io/pipes.ts";
import { currentCall } from "./call.ts";
import { pathText } from "./path_text.ts";

type AnyFunction = (...args: unknown[]) => unknown;

/** Functions that start programs. */
const PROGRAMS = ["Command", "run", "spawn", "spawnAndWait", "spawnAndWaitSync"];

/** Functions whose first argument is a path, in both versions. */
const ONE_PATH = [
  "chmod",
  "chown",
  "create",
  "mkdir",
  "open",
  "readFile",
  "readTextFile",
  "truncate",
  "utime",
  "writeFile",
  "writeTextFile",
];

/** Functions whose first two arguments are paths, in both versions. */
const TWO_PATHS = ["copyFile", "link"];

/** Functions that work on a link itself: its folder counts, not where it leads. */
const ON_LINKS = ["remove", "rename", "symlink"];

/**
 * Replaces the functions.
 *
 * @param check Throws for a path that leads out of the project by a link.
 */
export function guardDeno(check: (path: unknown) => void): void {
  const target = Deno as unknown as Record<string, unknown>;
  const checkFolder = (path: unknown) => check(dirname(pathText(path)));
  for (
    const [names, paths, checked] of [
      [ONE_PATH, 1, check],
      [TWO_PATHS, 2, check],
      [ON_LINKS, 2, checkFolder],
    ] as const
  ) {
    for (const name of names) {
      guard(name, paths, checked, true);
      guard(`${name}Sync`, paths, checked, false);
    }
  }
  for (const name of PROGRAMS) {
    const original = target[name];
    if (typeof original !== "function") continue;
    define(
      name,
      new Proxy(original, { construct: refusing("construct"), apply: refusing("apply") }),
    );
  }

  function guard(
    name: string,
    paths: number,
    checked: (path: unknown) => void,
    isAsync: boolean,
  ) {
    const original = target[name] as AnyFunction | undefined;
    if (typeof original !== "function") return;
    define(name, (...args: unknown[]) => {
      try {
        for (const path of args.slice(0, paths).filter(isPath)) checked(path);
      } catch (error) {
        if (isAsync) return Promise.reject(error);
        throw error;
      }
      return original(...args);
    });
  }
  function define(name: string, value: unknown) {
    Object.defineProperty(Deno, name, { value, configurable: true, writable: true });
  }
}

function isPath(value: unknown): boolean {
  return typeof value === "string" || value instanceof URL;
}

/** A trap that refuses; an embedding program may run what it likes outside calls. */
function refusing(trap: "construct" | "apply") {
  return (original: AnyFunction, ...rest: unknown[]): object => {
    if (currentCall() === undefined && !isStdioReserved()) {
      return (Reflect[trap] as AnyFunction)(original, ...rest) as object;
    }
    throw new RefraktError("PERMISSION_DENIED", "The sandbox does not let plugins run programs", {
      hint: "Plugins may run git alone, through node:child_process, without a shell.",
    });
  };
}
