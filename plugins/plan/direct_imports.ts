/**
 * The plan plugin's scanner takes one function each from two packages whose main modules
 * load two hundred others, all runes and two YAML parsers among them. It gets the modules
 * that have the functions: that is most of what its import would cost.
 *
 * @module
 */

import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { redirectImport } from "../../src/sandbox/modules.ts";

/** An import of a package by one module of the plugin, and where the package has what it takes. */
interface DirectImport {
  /** The importing module, beside the scanner. */
  readonly parent: string;
  /** The package. */
  readonly package: string;
  /** What is imported of it. */
  readonly name: string;
  /** The module that has it, beside the package's main module. */
  readonly file: string;
}

/** As it is from 0.24 to 0.29; see {@linkcode importDirectly} for other versions. */
const DIRECT_IMPORTS: readonly DirectImport[] = [
  {
    parent: "scanner-core.js",
    package: "@refrakt-md/runes",
    name: "escapeFenceTags",
    file: "fence-escape.js",
  },
  {
    parent: "scanner.js",
    package: "@refrakt-md/content",
    name: "getGitTimestamps",
    file: "timestamps.js",
  },
];

/**
 * Redirects the imports of a version of the plugin, before its scanner is imported. One
 * that is not as expected stays as it is: the scanner then works all the same, and takes
 * longer to load.
 *
 * @param scanner The URL of the plugin's scanner, where it is known.
 * @returns The functions whose imports were redirected, by name.
 */
export async function importDirectly(
  scanner: string | undefined,
): Promise<Readonly<Record<string, unknown>>> {
  if (scanner === undefined) return {};
  const found = await Promise.all(DIRECT_IMPORTS.map(async (direct) => {
    const value = await redirected(direct, scanner).catch(() => undefined);
    return [direct.name, value] as const;
  }));
  return Object.fromEntries(found.filter(([, value]) => value !== undefined));
}

async function redirected(direct: DirectImport, scanner: string): Promise<unknown> {
  const parent = new URL(direct.parent, scanner).href;
  // Modules can be imported as text without a read grant for them.
  const { default: source } = await import(parent, { with: { type: "text" } });
  if (!importsOnly(source, direct)) return undefined;
  const main = pathToFileURL(createRequire(parent).resolve(direct.package));
  const url = new URL(direct.file, main).href;
  const value = (await import(url))[direct.name];
  if (typeof value !== "function") return undefined;
  redirectImport(direct.package, parent, url);
  return value;
}

/** Whether a module imports this one name from the package, and nothing else. */
function importsOnly(source: string, { package: from, name }: DirectImport): boolean {
  const statement = new RegExp(`^import \\{ ?${name} ?\\} from ["']${from}["'];?$`, "m");
  return statement.test(source) && source.split(from).length === 2;
}
