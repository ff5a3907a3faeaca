/**
 * Replaces modules that packages import, such as `node:fs` by one that stays in the project. A
 * contributor may put its own module in the place of one of its npm package's, as `plugins/plan`
 * does with the scanner.
 *
 * @module
 */

import Module, { registerHooks } from "node:module";
import { isAbsolute } from "node:path";
import { pathToFileURL } from "node:url";

/** One replacement. */
export interface Replacement {
  /** The specifiers that are replaced, as they stand in an import. */
  readonly specifiers: readonly string[];
  /** Whether the import of one of them from the module `parent` is meant. */
  from(parent: string): boolean;
  /** What the module exports. The names are fixed when it is first imported. */
  readonly exports: Readonly<Record<string, unknown>>;
}

/** A replacement, and the URL that an import of it leads to; `exports` is what CommonJS gets. */
interface Entry extends Pick<Replacement, "from" | "exports"> {
  readonly url: string;
}

const REGISTRY_KEY = Symbol.for("@refrakt/mcp.modules");
/** Replacements by specifier, because the hook runs on every import. */
const replacements = new Map<string, Entry[]>();
const parents = new Set<string>();
/** Loaded packages by name, and by name and version. */
const loaded = new Map<string, LoadedPackage>();
let hooked = false;

/** Adds a replacement. Modules that were imported before keep what they have. */
export function replaceModule(replacement: Replacement): void {
  const registry = (globalThis as Record<symbol, unknown>)[REGISTRY_KEY] ??= [];
  const index = (registry as unknown[]).push(replacement.exports) - 1;
  const { specifiers, from, exports } = replacement;
  const entry = { from, exports, url: moduleUrl(index, exports) };
  for (const specifier of specifiers) {
    replacements.set(specifier, [...replacements.get(specifier) ?? [], entry]);
  }
  hook();
}

/** Begins to note which packages are loaded, and where they lie. */
export function notePackages(): void {
  hook();
}

/** A package of which at least one module was loaded. */
export interface LoadedPackage {
  /** Its exact version. */
  readonly version: string;
  /** The URL of its folder, with a slash at the end. */
  readonly base: string;
}

/**
 * What is known of a package that was loaded; `undefined` before its modules import
 * anything.
 *
 * @param version One of several versions that may be loaded side by side; the last
 * one that was loaded by default, and for a range.
 */
export function loadedPackage(name: string, version?: string): LoadedPackage | undefined {
  return (version === undefined ? undefined : loaded.get(`${name}@${version}`)) ??
    loaded.get(name);
}

let checkImport: ((url: string) => void) | undefined;

/** Checks the URL of each import from now on. @param check Throws to refuse one. */
export function checkImports(check: (url: string) => void): void {
  checkImport = check;
  hook();
}

function hook(): void {
  if (hooked) return;
  hooked = true;
  // A hook for loading would make the runtime ask for read access to the npm cache.
  registerHooks({
    resolve(specifier, context, next) {
      const parent = context.parentURL ?? "";
      notePackage(parent);
      const found = context.conditions?.includes("require")
        ? undefined
        : replacementFor(specifier, parent);
      if (found !== undefined) return { url: found.url, shortCircuit: true };
      const resolved = next(specifier, context);
      checkImport?.(resolved.url);
      return resolved;
    },
  });
  replaceRequired();
}

function replacementFor(specifier: string, parent: string) {
  return replacements.get(specifier)?.find((entry) => entry.from(parent));
}

/** CommonJS cannot require an address with data in it, so it gets the exports themselves. */
function replaceRequired(): void {
  type Load = (request: string, parent: { filename?: string } | null, isMain: boolean) => unknown;
  const target = Module as unknown as { _load: Load };
  const load = target._load;
  target._load = function (this: unknown, request, parent, isMain) {
    const filename = parent?.filename ?? "";
    const from = isAbsolute(filename) ? pathToFileURL(filename).href : filename;
    const exports = replacementFor(request, from)?.exports;
    if (exports !== undefined) return exports;
    return load.call(this, request, parent, isMain);
  };
}

/** The npm cache, and what takes its place in a compiled binary: a registry, a package, a version. */
const CACHED =
  /^.*\/(?:npm|\.deno_compile_node_modules)\/[^/]+\/((?:@[^/]+\/)?[^/@]+)\/(\d+\.\d+\.\d+[^/]*)\//;

/** A file of the npm cache says in its path which version it belongs to. */
function notePackage(parent: string): void {
  if (parents.has(parent)) return;
  parents.add(parent);
  const match = CACHED.exec(parent);
  if (match === null) return;
  const [base, name, folder] = match as unknown as [string, string, string];
  const version = folder.replace(/_\d+$/, "");
  if (loaded.has(`${name}@${version}`)) return;
  loaded.set(`${name}@${version}`, { version, base });
  loaded.set(name, { version, base });
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
