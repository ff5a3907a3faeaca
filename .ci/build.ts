/**
 * Builds the package that is published, into `dist/jsr`: the sources as they are, what
 * runs of them, bundled into `src/bundle/`, and the npm packages that they import, bundled
 * into `third_party/`. A package without npm dependencies of its own can run with
 * `--node-modules-dir=manual`, where Deno takes every npm package from the project; and
 * a start reads two dozen modules in place of four hundred.
 *
 *     deno task build
 *     deno task build --out <dir>
 *
 * The versions and the content of what is bundled are those of `deno.lock`:
 * `third_party/packages.json` says which, `NOTICE` carries the licences.
 *
 * @module
 */

import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import manifest from "../deno.json" with { type: "json" };
import startFunctions from "./start_functions.json" with { type: "json" };
import { membersOf } from "./members.ts";
import { bundlePackages, fileName } from "./packages.ts";
import { bundleProgram, way } from "./program.ts";
import { runDeno, write } from "./run_deno.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));

/** An import of an npm package by the name that `deno.json` gives it. */
const IMPORT = /(?:\bfrom\s*|\bimport\s*\(\s*|\bimport\s+)"([^".][^"]*)"/g;

/** Where the bundled program lies: as deep as the folders of its sources, which tell by that what is theirs. */
const PROGRAM = "src/bundle";

/** A package of the lock file. */
interface LockedPackage {
  integrity: string;
  dependencies?: string[];
}

/** What Deno keeps of the registry's answer about a package. */
interface CachedPackage {
  versions: Record<string, { dist: { integrity: string } }>;
}

/** What is bundled: name, version and content. */
export interface VendoredPackage {
  /** The package. */
  readonly name: string;
  /** Its exact version. */
  readonly version: string;
  /** The checksum of its archive, as the lock file has it. */
  readonly integrity: string;
  /** Its licence's name. */
  readonly license: string;
}

if (import.meta.main) {
  const { values } = parseArgs({ args: Deno.args, options: { out: { type: "string" } } });
  await build(values.out ?? join(ROOT, "dist/jsr"));
}

/**
 * Builds the package.
 *
 * @param out The folder, which is replaced.
 * @param lock The lock file that decides.
 * @param started The functions that every start runs, by checksum.
 */
export async function build(
  out: string,
  lock: string = join(ROOT, "deno.lock"),
  started: ReadonlySet<string> = new Set(startFunctions),
): Promise<void> {
  const sources = await publishedFiles();
  const used = importedNames(sources);
  const temporary = `${out}.${crypto.randomUUID().slice(0, 8)}`;
  try {
    for (const [path, text] of sources) await write(join(temporary, path), text);
    const zod = await bundleSources(used, sources, temporary, started);
    await bundlePackages(used, join(temporary, "third_party"), { root: ROOT, lock, started, zod });
    const cache = JSON.parse(await runDeno(ROOT, ["info", "--json"])).npmCache as string;
    const packages = await vendoredPackages(used, cache, lock);
    await write(join(temporary, "third_party/packages.json"), json(packages));
    await write(join(temporary, "NOTICE"), await notice(packages, cache));
    await write(join(temporary, "deno.json"), json(publishedManifest(used)));
    await Deno.remove(out, { recursive: true }).catch(() => {});
    await Deno.rename(temporary, out);
  } finally {
    await Deno.remove(temporary, { recursive: true }).catch(() => {});
  }
}

/** The files that `deno.json` publishes, by path; the manifest is written anew. */
async function publishedFiles(): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const add = async (path: string) => {
    const { isDirectory } = await Deno.stat(join(ROOT, path));
    if (!isDirectory) files.set(path, await Deno.readTextFile(join(ROOT, path)));
    else {
      const names = await Array.fromAsync(Deno.readDir(join(ROOT, path)), (entry) => entry.name);
      for (const name of names.sort()) await add(`${path}/${name}`);
    }
  };
  for (const path of manifest.publish.include) if (path !== "deno.json") await add(path);
  return files;
}

/** The names of `deno.json`'s imports that a module uses; comments and types aside. */
function namesIn(path: string, text: string): string[] {
  if (!path.endsWith(".ts")) return [];
  const code = text.split("\n").filter((line) => !/^\s*(?:\*|\/\/|\/\*)/.test(line)).join("\n");
  return [...code.matchAll(IMPORT)].map((match) => match[1]!)
    .filter((name) => Object.hasOwn(manifest.imports, name));
}

function importedNames(sources: ReadonlyMap<string, string>): string[] {
  const names = [...sources].flatMap(([path, text]) => namesIn(path, text));
  return [...new Set(names)].sort();
}

/** Bundles what runs, beside the sources that it is made of; gives what it takes of Zod. */
async function bundleSources(
  names: readonly string[],
  sources: ReadonlyMap<string, string>,
  out: string,
  started: ReadonlySet<string>,
): Promise<string[]> {
  const entries = Object.values(manifest.exports).map((path) => path.replace("./", ""));
  const modules = await bundleProgram({
    root: ROOT,
    sources: [...sources.keys()].filter((path) => path.endsWith(".ts") && !isView(path)),
    entries,
    started,
    packages: Object.fromEntries(names.map((name) => [name, `third_party/${fileName(name)}.js`])),
  }, PROGRAM);
  for (const [path, code] of modules) {
    const file = join(out, PROGRAM, path);
    const entry = entries.find((each) => `${PROGRAM}/${path}` === bundledPath(each));
    // The types are those of the source, which is published as well.
    const types = entry === undefined
      ? ""
      : `/* @ts-self-types="${way(dirname(file), join(out, entry))}" */\n`;
    await write(file, types + code);
  }
  return [...modules.values()].flatMap((code) => membersOf(code, "/zod.js", "z"));
}

/** The views' own sources run in a browser, and are built into modules beside them. */
function isView(path: string): boolean {
  return path.startsWith("plugins/board/view/");
}

/** The bundled module of an entry, in the package. */
function bundledPath(source: string): string {
  return `${PROGRAM}/${source.replace(/\.ts$/, ".js")}`;
}

/** What the lock file says of the bundled packages and all that they depend on. */
async function vendoredPackages(
  names: readonly string[],
  cache: string,
  lockFile: string,
): Promise<VendoredPackage[]> {
  const lock = await readJson(lockFile) as { npm: Record<string, LockedPackage> };
  const found = new Map<string, VendoredPackage>();
  const visit = async (id: string) => {
    const locked = lock.npm[id];
    if (locked === undefined) throw new Error(`deno.lock does not have ${id}`);
    const [, name = "", version = ""] = /^(@?[^@]+)@([^_]+)/.exec(id) ?? [];
    if (found.has(id)) return;
    const folder = await cacheFolder(cache, name, version);
    const { license } = await readJson(join(folder, "package.json")) as { license: string };
    // Deno compares with the lock file when it downloads, not what it has downloaded before.
    const { versions } = await readJson(join(folder, "../registry.json")) as CachedPackage;
    if (versions[version]?.dist.integrity !== locked.integrity) {
      throw new Error(`The integrity of ${name} ${version} is not the one of deno.lock`);
    }
    found.set(id, { name, version, integrity: locked.integrity, license });
    for (const dependency of locked.dependencies ?? []) await visit(idOf(lock.npm, dependency));
  };
  for (const name of names) {
    const specifier = (manifest.imports as Record<string, string>)[name]!;
    const [, packageName = "", version = ""] = /^npm:(@?[^@]+)@([^/]+)/.exec(specifier) ?? [];
    await visit(idOf(lock.npm, `${packageName}@${version}`));
  }
  return [...found.values()].sort((a, b) => a.name < b.name ? -1 : 1);
}

/** A dependency in the lock file is a name, with a version only where there are several. */
function idOf(locked: Readonly<Record<string, LockedPackage>>, dependency: string): string {
  const ids = Object.keys(locked);
  const id = ids.find((key) => key === dependency || key.startsWith(`${dependency}_`)) ??
    ids.find((key) => key.startsWith(`${dependency}@`));
  if (id === undefined) throw new Error(`deno.lock does not have ${dependency}`);
  return id;
}

/** The licence texts of everything that is bundled. */
async function notice(packages: readonly VendoredPackage[], cache: string): Promise<string> {
  const parts = [
    `${manifest.name} includes the following packages in third_party/, each under its own licence.\n`,
  ];
  for (const { name, version, license } of packages) {
    const folder = await cacheFolder(cache, name, version);
    const file = (await Array.fromAsync(Deno.readDir(folder), (entry) => entry.name))
      .find((entry) => /^licen[cs]e/i.test(entry));
    const text = file === undefined
      ? "(The package has no licence file.)"
      : await Deno.readTextFile(join(folder, file));
    parts.push(`${"-".repeat(72)}\n${name} ${version} (${license})\n\n${text.trim()}\n`);
  }
  return parts.join("\n");
}

function publishedManifest(names: readonly string[]): unknown {
  const { name, version, license, description, exports, compilerOptions, publish } = manifest;
  return {
    name,
    version,
    license,
    description,
    exports: Object.fromEntries(
      Object.entries(exports).map((
        [entry, path],
      ) => [entry, `./${bundledPath(path.replace("./", ""))}`]),
    ),
    imports: Object.fromEntries(names.map((each) => [each, `./third_party/${fileName(each)}.js`])),
    nodeModulesDir: "none",
    lock: false,
    compilerOptions,
    publish: { include: [...publish.include, "third_party", "NOTICE"] },
  };
}

/** Where Deno keeps a package; the registry's name is part of the path. */
async function cacheFolder(cache: string, name: string, version: string): Promise<string> {
  for await (const registry of Deno.readDir(cache)) {
    const path = join(cache, registry.name, name, version);
    if (await Deno.stat(path).then((info) => info.isDirectory, () => false)) return path;
  }
  throw new Error(`${name} ${version} is not in the npm cache`);
}

async function readJson(path: string): Promise<unknown> {
  return JSON.parse(await Deno.readTextFile(path));
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
