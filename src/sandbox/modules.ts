/**
 * Replaces modules that plugins import: `node:child_process` leads to the git
 * runner, `node:fs` to one that stays in the project. A contributor may put its
 * own module in the place of one of its npm package's, as `plugins/plan` does
 * with the scanner.
 *
 * @module
 */

import { registerHooks } from "node:module";

/** One replacement. */
export interface Replacement {
  /** Whether an import of `specifier` from the module `parent` is to be replaced. */
  matches(specifier: string, parent: string): boolean;
  /** What the module exports. The names are fixed when it is first imported. */
  readonly exports: Readonly<Record<string, unknown>>;
}

const REGISTRY_KEY = Symbol.for("@refrakt/mcp.modules");
const replacements: { replacement: Replacement; url: string }[] = [];
const bareSpecifiers = new Map<string, string>();
const loaded = new Map<string, LoadedPackage>();
let hooked = false;

/** Adds a replacement. Modules that were imported before keep what they have. */
export function replaceModule(replacement: Replacement): void {
  const registry = (globalThis as Record<symbol, unknown>)[REGISTRY_KEY] ??= [];
  const index = (registry as unknown[]).push(replacement.exports) - 1;
  replacements.push({ replacement, url: moduleUrl(index, replacement.exports) });
  hook();
}

/**
 * Lets modules of the project that are no package, such as local runes, import a
 * package by its bare name.
 *
 * @param name The bare specifier, such as `@markdoc/markdoc`.
 * @param target The `npm:` specifier that it stands for.
 */
export function mapBareSpecifier(name: string, target: string): void {
  bareSpecifiers.set(name, target);
  hook();
}

/** A package of which at least one module was loaded. */
export interface LoadedPackage {
  /** Its exact version. */
  readonly version: string;
  /** The URL of its folder, with a slash at the end. */
  readonly base: string;
}

/** What is known of a package that was loaded; `undefined` before its modules import anything. */
export function loadedPackage(name: string): LoadedPackage | undefined {
  return loaded.get(name);
}

function hook(): void {
  if (hooked) return;
  hooked = true;
  registerHooks({
    resolve(specifier, context, next) {
      const parent = context.parentURL ?? "";
      notePackage(parent);
      for (const { replacement, url } of replacements) {
        if (replacement.matches(specifier, parent)) return { url, shortCircuit: true };
      }
      const target = bareSpecifiers.get(specifier);
      if (target !== undefined && !parent.includes("/npm/")) return next(target, context);
      return next(specifier, context);
    },
  });
}

/** A file of the npm cache says in its path which version it belongs to. */
function notePackage(parent: string): void {
  const match = /^.*\/npm\/[^/]+\/((?:@[^/]+\/)?[^/@]+)\/(\d+\.\d+\.\d+[^/]*)\//.exec(parent);
  if (match === null || loaded.has(match[1]!)) return;
  loaded.set(match[1]!, { version: match[2]!.replace(/_\d+$/, ""), base: match[0] });
}

/** A module whose exports are taken from the registry, by name. */
function moduleUrl(index: number, exports: Readonly<Record<string, unknown>>): string {
  const names = Object.keys(exports).filter((name) =>
    /^[A-Za-z_$][\w$]*$/.test(name) && name !== "default"
  );
  const source = `const module = globalThis[Symbol.for("@refrakt/mcp.modules")][${index}];
export const { ${names.join(", ")} } = module;
export default module.default ?? module;`;
  return `data:text/javascript,${encodeURIComponent(source)}`;
}
