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
/** Addresses that no file has: what is loaded from there comes from the registry. */
const VIRTUAL = `file:///${Deno.build.os === "windows" ? "C:/" : ""}refrakt-mcp-module-`;
const replacements: Replacement[] = [];
const loaded = new Map<string, LoadedPackage>();
let hooked = false;

/** Adds a replacement. Modules that were imported before keep what they have. */
export function replaceModule(replacement: Replacement): void {
  const registry = (globalThis as Record<symbol, unknown>)[REGISTRY_KEY] ??= [];
  (registry as unknown[]).push(replacement.exports);
  replacements.push(replacement);
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
      const index = replacements.findIndex((entry) => entry.matches(specifier, parent));
      if (index === -1) return next(specifier, context);
      const kind = context.conditions?.includes("require") ? "cjs" : "mjs";
      return { url: `${VIRTUAL}${index}.${kind}`, shortCircuit: true };
    },
    load(url, context, next) {
      if (!url.startsWith(VIRTUAL)) return next(url, context);
      const [index, kind] = url.slice(VIRTUAL.length).split(".");
      return kind === "cjs"
        ? { format: "commonjs", source: requiredSource(Number(index)), shortCircuit: true }
        : { format: "module", source: importedSource(Number(index)), shortCircuit: true };
    },
  });
}

/** The npm cache, and what takes its place in a compiled binary: a registry, a package, a version. */
const CACHED =
  /^.*\/(?:npm|\.deno_compile_node_modules)\/[^/]+\/((?:@[^/]+\/)?[^/@]+)\/(\d+\.\d+\.\d+[^/]*)\//;

/** A file of the npm cache says in its path which version it belongs to. */
function notePackage(parent: string): void {
  const match = CACHED.exec(parent);
  if (match === null || loaded.has(match[1]!)) return;
  loaded.set(match[1]!, { version: match[2]!.replace(/_\d+$/, ""), base: match[0] });
}

/** Takes the exports from the registry, as a module of either system. */
function requiredSource(index: number): string {
  return `module.exports = globalThis[Symbol.for("@refrakt/mcp.modules")][${index}];`;
}

function importedSource(index: number): string {
  const names = Object.keys(replacements[index]!.exports).filter((name) =>
    /^[A-Za-z_$][\w$]*$/.test(name) && name !== "default"
  );
  return `const module = globalThis[Symbol.for("@refrakt/mcp.modules")][${index}];
export const { ${names.join(", ")} } = module;
export default module.default ?? module;`;
}
