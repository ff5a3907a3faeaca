/**
 * Bundles the npm packages that the sources import.
 *
 * @module
 */

import { basename, join } from "node:path";
import { compiledAtOnce } from "./eager.ts";
import { lazySchemas } from "./lazy_schemas.ts";
import { runDeno, write } from "./run_deno.ts";

/** How bundled CommonJS gets at the modules of the runtime, and how it can in a module from afar. */
const REQUIRE = "__deno_internal_createRequire(import.meta.url)";
const BUILT_IN = "((name)=>globalThis.process.getBuiltinModule(name))";

/** The comment that says where a module comes from, with the path of this machine's cache. */
const ORIGIN = /^(\/\/ )\S*\/(?:npm\/[^/\s]+|entries)\/(\S+)$/gm;

/** Where the packages come from. */
interface Source {
  /** The checkout, whose manifest has their names. */
  readonly root: string;
  /** The lock file that decides. */
  readonly lock: string;
  /** The functions that every start runs, by checksum. */
  readonly started: ReadonlySet<string>;
  /** What the program takes of Zod's `z`. */
  readonly zod: readonly string[];
}

/**
 * Bundles one module for each name; what several need lies in shared chunks. The SDK and Zod
 * are taken as for browsers: they then need no module of Node, whose loading every start
 * would have to wait for, and no compiler for JSON Schemas.
 */
export async function bundlePackages(
  names: readonly string[],
  out: string,
  source: Source,
): Promise<void> {
  const protocol = names.filter((name) => /^(?:zod|@modelcontextprotocol\/.*)$/.test(name));
  const made = await bundled(protocol, out, ["--platform=browser"], source);
  for (const [path, code] of lazySchemas(made)) {
    await write(join(out, path), compiledAtOnce(code.replace(ORIGIN, "$1$2"), source.started));
  }
  const others = names.filter((name) => !protocol.includes(name));
  for (const [path, code] of await bundled(others, out, ["--platform=deno", "--minify"], source)) {
    // A module of a registry has no file to require from; what is left to require is built in.
    await write(join(out, path), code.replace(REQUIRE, BUILT_IN));
  }
}

/** Bundles packages, and gives the modules by their file names. */
async function bundled(
  names: readonly string[],
  out: string,
  flags: readonly string[],
  { root, lock, zod }: Source,
): Promise<Map<string, string>> {
  const entries = join(out, "entries");
  for (const name of names) {
    const entry = name === "zod" ? zodEntry(zod) : await wholeEntry(name);
    await write(join(entries, `${fileName(name)}.ts`), entry);
  }
  const config = [`--config=${join(root, "deno.json")}`, `--lock=${lock}`, "--frozen"];
  const files = names.map((name) => join(entries, `${fileName(name)}.ts`));
  const modules = await denoBundle(root, [...config, ...flags], out, files);
  await Deno.remove(entries, { recursive: true });
  return modules;
}

/** A module that exports what a package does. */
async function wholeEntry(name: string): Promise<string> {
  // A CommonJS package has no names that `export *` could see.
  const exported = Object.keys(await import(name)).filter((key) => key !== "module.exports");
  return `export { ${exported.sort().join(", ")} } from "${name}";\n`;
}

/** A module that exports Zod's `z`, with what is used of it alone: two thirds are languages. */
function zodEntry(members: readonly string[]): string {
  const used = [...new Set(members)].sort().map((name) => `${name}: zod.${name}`);
  return `import * as zod from "zod";\nexport const z = { ${used.join(", ")} };\n`;
}

/** Bundles modules; what several of them need is named after those, whatever the folder is called. */
async function denoBundle(
  root: string,
  flags: readonly string[],
  out: string,
  files: readonly string[],
): Promise<Map<string, string>> {
  const made = join(out, "made");
  await runDeno(root, [
    "bundle",
    "--quiet",
    ...flags,
    "--code-splitting",
    `--outdir=${made}`,
    ...files,
  ]);
  const modules = new Map<string, string>();
  for await (const { name } of Deno.readDir(made)) {
    modules.set(name, await Deno.readTextFile(join(made, name)));
  }
  await Deno.remove(made, { recursive: true });
  const names = new Map([...modules.keys()].map((name) => {
    const importing = [...modules].filter(([, code]) => code.includes(`"./${name}"`));
    const users = importing.map(([user]) => basename(user, ".js")).filter((user) => !isChunk(user));
    return [name, isChunk(name) ? `shared-${users.sort().join("-")}.js` : name];
  }));
  if (new Set(names.values()).size < names.size) throw new Error("Two chunks have the same users");
  const renamed = (code: string) =>
    [...names].reduce((text, [from, to]) => text.replaceAll(`"./${from}"`, `"./${to}"`), code);
  return new Map([...modules].map(([name, code]) => [names.get(name)!, renamed(code)]));
}

function isChunk(name: string): boolean {
  return name.startsWith("chunk-");
}

/** The file of a package's name: `@scope/name/sub` is `scope_name_sub`. */
export function fileName(name: string): string {
  return name.replace(/^@/, "").replaceAll("/", "_");
}
