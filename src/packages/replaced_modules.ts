/**
 * Replaces modules that packages import, such as `node:fs`. Adapters may replace modules of
 * their npm package, as `plugins/plan` does with the scanner.
 */

import { isAbsolute, join } from "node:path";
import { pathToFileURL } from "node:url";
import { rawMessage } from "../errors.ts";
import { DENO_MESSAGES } from "../io/deno_messages.ts";
import { lazily, nodeModule } from "../io/lazily.ts";
import { isOutside } from "./stand_in_call.ts";

export interface Replacement {
  /** The import specifiers to replace. */
  readonly specifiers: readonly string[];
  /** Whether to replace it in the importing module `parent`. */
  from(parent: string): boolean;
  /** The exports. Their names are fixed at the first import. */
  readonly exports: Readonly<Record<string, unknown>>;
}

const REGISTRY_KEY = Symbol.for("@refrakt/mcp.modules");
/** Replacements with their URLs, indexed by specifier, because the hook runs on every import. */
const replacements = new Map<string, (Replacement & { readonly url: string })[]>();

/** Adds a replacement. Modules imported earlier keep the original. */
export function replaceModule(replacement: Replacement): void {
  const registry = (globalThis as Record<symbol, unknown>)[REGISTRY_KEY] ??= [];
  const index = (registry as unknown[]).push(replacement.exports) - 1;
  const entry = { ...replacement, url: moduleUrl(index, replacement.exports) };
  for (const specifier of replacement.specifiers) {
    replacements.set(specifier, [...replacements.get(specifier) ?? [], entry]);
  }
  hookImports();
}

/** An import that may be judged. */
export interface WantedModule {
  readonly specifier: string;
  /** The resolved address; links are not always followed. */
  readonly url: string;
  /** The address of the importing module. */
  readonly parent: string;
}

/** How the imports of the whole process are judged. */
export const importPolicy = {
  /** Throws to reject an import. */
  check: (_wanted: WantedModule): void => {},
  /** Whether the server is the process's own program: all other code then belongs to packages. */
  ownsProcess: false,
  /** Whether the project's code may be loaded: in the whole process, which shares its modules. */
  trustsProject: false,
};

/** Whether the running code belongs to a program that embeds the server. */
export function isOfEmbedder(): boolean {
  return !importPolicy.ownsProcess && isOutside();
}

/** Checks a file that CommonJS is about to load. @param path Its absolute path. */
export function checkFile(path: string, specifier = path, parent = ""): void {
  if (isAbsolute(path)) checkWanted(specifier, parent, pathToFileURL(path).href);
}

/** Whether a module belongs to this package. */
export function isOwn(module: string): boolean {
  return OWN.some((folder) => module.startsWith(folder));
}

const OWN: readonly string[] = ["src/", "plugins/", "mod.ts"].map((path) =>
  new URL(`../../${path}`, import.meta.url).href
);

/** Starts replacing and checking imports. */
const hookImports = lazily((): void => {
  // A load hook would require read permission for the npm cache.
  nodeModule("node:module").registerHooks({
    resolve(specifier, context, next) {
      const parent = addressOf(context.parentURL ?? "");
      const replacement = context.conditions?.includes("require")
        ? undefined
        : replacementFor(specifier, parent);
      if (replacement !== undefined) return { url: replacement.url, shortCircuit: true };
      try {
        const [, parentURL, name] = FROM_FILE.exec(specifier) ?? [];
        const resolved = name === undefined
          ? next(specifier, context)
          : next(name, { ...context, parentURL });
        checkWanted(specifier, parent, resolved.url);
        return resolved;
      } catch (error) {
        // CommonJS reads the file while it resolves it.
        const [, , path] = DENO_MESSAGES.accessRequired.exec(rawMessage(error)) ?? [];
        if (path !== undefined) checkFile(path, specifier, parent);
        throw error;
      }
    },
  });
  replaceRequired();
});

/** A specifier that Deno resolves as if a file of a folder imported it. @param folder Its path. */
export function specifierFrom(folder: string, name: string): string {
  return `refrakt-mcp-from:${pathToFileURL(join(folder, "package.json")).href}#${name}`;
}

const FROM_FILE = /^refrakt-mcp-from:([^#]*)#(.*)$/;

/** The address of an importer; one that CommonJS made up is a path. */
function addressOf(importer: string): string {
  return isAbsolute(importer) ? pathToFileURL(importer).href : importer;
}

function checkWanted(specifier: string, parent: string, url: string): void {
  if (!isOwn(url) && !url.startsWith("node:")) importPolicy.check({ specifier, url, parent });
}

function replacementFor(specifier: string, parent: string) {
  return replacements.get(specifier)?.find((entry) => entry.from(parent));
}

/** CommonJS cannot require a data: URL, so `require` returns the default export, or the exports. */
function replaceRequired(): void {
  type Load = (request: string, parent: { filename?: string } | null, isMain: boolean) => unknown;
  const target = nodeModule("node:module") as unknown as { _load: Load };
  const load = target._load;
  target._load = function (this: unknown, request, parent, isMain) {
    const exports = replacementFor(request, addressOf(parent?.filename ?? ""))?.exports;
    if (exports !== undefined) return exports["default"] ?? exports;
    return load.call(this, request, parent, isMain);
  };
}

/** Returns a data: URL of a module that re-exports the registered exports. */
function moduleUrl(index: number, exports: Readonly<Record<string, unknown>>): string {
  const names = Object.keys(exports).filter((name) =>
    /^[A-Za-z_$][\w$]*$/.test(name) && name !== "default"
  );
  const source = `const module = globalThis[Symbol.for("@refrakt/mcp.modules")][${index}];
export const { ${names.join(", ")} } = module;
export default module.default ?? module;`;
  return `data:text/javascript,${encodeURIComponent(source)}`;
}
