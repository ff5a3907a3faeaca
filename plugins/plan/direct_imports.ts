/**
 * Spares the plan plugin's scanner imports that a list of tools does not need. The scanner takes
 * one function each from two packages whose main modules load two hundred others, all runes and two
 * YAML parsers among them: here it gets the modules that have the functions, and a Markdoc that is
 * loaded when a text is first parsed.
 *
 * @module
 */

import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { MARKDOC_PACKAGE } from "../../src/npm/names.ts";
import { redirectImport, replaceModule } from "../../src/sandbox/modules.ts";

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
  await deferMarkdoc(new URL("scanner-core.js", scanner).href).catch(() => {});
  return Object.fromEntries(found.filter(([, value]) => value !== undefined));
}

async function redirected(direct: DirectImport, scanner: string): Promise<unknown> {
  const parent = new URL(direct.parent, scanner).href;
  if (!await importsOnly(parent, `{ ${direct.name} }`, direct.package)) return undefined;
  const main = pathToFileURL(createRequire(parent).resolve(direct.package));
  const url = new URL(direct.file, main).href;
  const value = (await import(url))[direct.name];
  if (typeof value !== "function") return undefined;
  redirectImport(direct.package, parent, url);
  return value;
}

/**
 * Lets a module have Markdoc when it first uses it. The package is CommonJS, which can be
 * loaded at any moment.
 */
async function deferMarkdoc(parent: string): Promise<void> {
  if (!await importsOnly(parent, "Markdoc", MARKDOC_PACKAGE)) return;
  const require = createRequire(parent);
  const main = require.resolve(MARKDOC_PACKAGE);
  // Whether it is CommonJS, and may be read: the runtime decides that alike for both files.
  const { type } = require(join(dirname(main), "../package.json"));
  if (type === "module" || !main.endsWith(".js")) return;
  const target = () => require(main) as Record<string | symbol, unknown>;
  replaceModule({
    specifiers: [MARKDOC_PACKAGE],
    from: (importing) => importing === parent,
    exports: { default: new Proxy({}, { get: (_, name) => target()[name] }) },
  });
}

/** Whether a module imports this from a package, and nothing else. */
async function importsOnly(module: string, what: string, from: string): Promise<boolean> {
  // Modules can be imported as text without a read grant for them.
  const { default: source } = await import(module, { with: { type: "text" } });
  const statement = new RegExp(
    `^import ${what.replaceAll(" ", " ?")} from ["']${from}["'];?$`,
    "m",
  );
  return statement.test(source) && source.split(from).length === 2;
}
