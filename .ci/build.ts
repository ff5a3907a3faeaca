/**
 * Builds the published package into `dist/jsr`: the sources, for readers and for their types,
 * and the program with its npm dependencies, bundled into `src/bundle/` by `deno bundle`.
 * Without npm dependencies, the package starts faster and also runs with
 * `--node-modules-dir=manual`, where Deno takes every npm package from the project.
 *
 *     deno task build
 *     deno task build --out <dir>
 */

import { cpSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import sqlite from "@sqlite.org/sqlite-wasm/sqlite3.wasm" with { type: "bytes" };
import manifest from "../deno.json" with { type: "json" };
import { outFolder, ROOT, runDeno } from "./run_deno.ts";

/**
 * The folder of the bundled modules: as deep as `src/sandbox`, which locates `src` relative to
 * itself.
 */
export const BUNDLE = "src/bundle";

/** The CycloneDX bill of materials in the published package and beside the binaries. */
const SBOM = "sbom.cdx.json";

/** Has the binary of SQLite as text, because packages on JSR cannot import bytes. */
const BINARY = "src/query/sqlite_binary.ts";

/** The module that replaces it; its path is part of the bundle, so it is the same for every build. */
const BUILT_BINARY = "dist/sqlite_binary.ts";

/** The bundler labels an npm module by the path of its file in Deno's cache. */
const ORIGIN =
  /^( *(?:\/\/ |"))([^\s"]*\/npm\/[^/\s"]+\/((?:@[^/\s"]+\/)?[^/\s"]+)\/(\d[^/\s"]*))(?=\/)/gm;

/**
 * Bundled CommonJS requires Node's modules, but a registry's module has no file to require from.
 */
const REQUIRE = /\w*createRequire\(import\.meta\.url\)/;
const BUILT_IN = "(name) => globalThis.process.getBuiltinModule(name)";
/** What it then need not load. */
const UNUSED = /^import \{ createRequire as \w+ \} from "node:module";\n/m;

/** V8 stores a module with one of these as two bytes a character, and copies it. */
const NOT_ASCII = /[\u0080-\uffff]/g;

/** The SDK's validator is Ajv, nearly half of its code, and `mcp/server.ts` gives it none to use. */
const AJV = /^\/\/ npm:@modelcontextprotocol\/server@.*\/ajvProvider-[^]*?(?=^\/\/ npm:)/m;
/** It imports `process` for its own stdio, which is not used: that takes 8 ms. */
const PROCESS = /^import process from "node:process";$/m;

const NOTICE = `The modules in ${BUNDLE}/ were made by "deno bundle". They contain the npm packages
below, changed in these ways: their modules are joined into fewer files, unused code and most
comments are left out, names that would collide are changed, "require" of a Node module is
process.getBuiltinModule, the SDK has no Ajv and no process, and characters outside ASCII are
escaped. A comment before each module names its package, version and file.
`;

interface BundledPackage {
  readonly name: string;
  readonly version: string;
  readonly folder: string;
}

if (import.meta.main) {
  await build(outFolder("dist/jsr"));
}

/** Builds the package into a folder, replacing it. */
export async function build(out: string): Promise<void> {
  const temporary = `${out}.${crypto.randomUUID().slice(0, 8)}`;
  try {
    await Deno.mkdir(temporary, { recursive: true });
    for (const path of manifest.publish.include) {
      cpSync(join(ROOT, path), join(temporary, path), { recursive: true });
    }
    const packages = await bundle(join(temporary, BUNDLE), temporary);
    await Deno.writeTextFile(join(temporary, "NOTICE"), await notice(packages));
    await Deno.writeTextFile(join(temporary, SBOM), billOfMaterials(packages));
    const published = `${JSON.stringify(publishedManifest(), null, 2)}\n`;
    await Deno.writeTextFile(join(temporary, "deno.json"), published);
    await Deno.remove(out, { recursive: true }).catch(() => {});
    await Deno.rename(temporary, out);
  } finally {
    await Deno.remove(temporary, { recursive: true }).catch(() => {});
  }
}

/**
 * Bundles the entries; returns the npm packages that the bundle contains.
 *
 * @param temporary A folder for files that are not published.
 */
async function bundle(out: string, temporary: string): Promise<BundledPackage[]> {
  const entries = Object.values(manifest.exports).map((path) => path.replace("./", ""));
  const [config, lock] = [`${temporary}.json`, `${temporary}.lock`];
  const flags = [
    ...["--quiet", "--platform=deno", "--code-splitting", `--config=${config}`],
    // A copy, because the lock file describes deno.json, not this configuration.
    ...[`--lock=${lock}`, "--frozen=false"],
  ];
  const { unstable, nodeModulesDir } = manifest;
  const url = (path: string) => pathToFileURL(path).href;
  const imports = { ...manifest.imports, [url(join(ROOT, BINARY))]: url(join(ROOT, BUILT_BINARY)) };
  try {
    await Deno.copyFile(join(ROOT, "deno.lock"), lock);
    await Deno.writeTextFile(config, JSON.stringify({ unstable, nodeModulesDir, imports }));
    await writeBinaryModule(join(ROOT, BUILT_BINARY));
    await runDeno(ROOT, ["bundle", ...flags, `--outdir=${out}`, ...entries]);
  } finally {
    for (const path of [config, lock]) await Deno.remove(path).catch(() => {});
  }
  const packages = new Map<string, BundledPackage>();
  for (const name of readdirSync(out, { encoding: "utf8", recursive: true })) {
    const file = join(out, name);
    if (!name.endsWith(".js")) continue;
    const code = (await Deno.readTextFile(file)).replace(REQUIRE, () => BUILT_IN).replace(
      UNUSED,
      "",
    )
      .replace(ORIGIN, (_, start: string, folder: string, name: string, version: string) => {
        packages.set(`${name}@${version}`, { name, version, folder: join(ROOT, folder) });
        return `${start}npm:${name}@${version}`;
      });
    const entry = entries.find((path) => join(out, bundled(path)) === file);
    const types = entry === undefined
      ? ""
      : `/* @ts-self-types="${relative(join(file, ".."), join(out, "../..", entry))}" */\n`;
    await Deno.writeTextFile(
      file,
      types + withoutUnused(code).replace(NOT_ASCII, (unit) => escaped(unit)),
    );
  }
  return [...packages.values()].sort((a, b) => a.name < b.name ? -1 : 1);
}

/** Leaves out what the SDK loads and nothing uses. */
function withoutUnused(code: string): string {
  if (!code.includes("/ajvProvider-")) return code;
  const rest = code.replace(AJV, "var AjvJsonSchemaValidator = class {};\n")
    .replace(PROCESS, "var process = {};");
  if (/ajvProvider|node:process/.test(rest)) throw new Error("The SDK is built in another way");
  return rest;
}

/** Valid in the bundler's strings, templates, expressions, names and comments. */
function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Writes a module that contains the binary of SQLite as text. */
async function writeBinaryModule(path: string): Promise<void> {
  const zipped = new Blob([sqlite]).stream().pipeThrough(new CompressionStream("gzip"));
  const text = new Uint8Array(await new Response(zipped).arrayBuffer()).toBase64();
  const module = `const GZIP = ${JSON.stringify(text)};
export async function sqliteBinary() {
  const zipped = new Blob([Uint8Array.fromBase64(GZIP)]).stream();
  const bytes = zipped.pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(bytes).arrayBuffer());
}
`;
  // Other builds may read it.
  const temporary = `${path}.${crypto.randomUUID().slice(0, 8)}.tmp`;
  await Deno.mkdir(join(path, ".."), { recursive: true });
  await Deno.writeTextFile(temporary, module);
  await Deno.rename(temporary, path);
}

/** The bundled module of a source, in the bundle's folder. */
export function bundled(source: string): string {
  return source.replace(/\.ts$/, ".js");
}

/** Changes to the bundled packages, and their licences. */
async function notice(packages: readonly BundledPackage[]): Promise<string> {
  const parts = [NOTICE];
  for (const { name, version, folder } of packages) {
    const { license, author } = JSON.parse(await Deno.readTextFile(join(folder, "package.json")));
    const files = await Array.fromAsync(Deno.readDir(folder), (entry) => entry.name);
    const file = files.find((entry) => /^licen[cs]e/i.test(entry));
    const text = file === undefined
      ? `Copyright ${author?.name ?? author}. The package has no file with the licence's text.`
      : await Deno.readTextFile(join(folder, file));
    parts.push(`${"-".repeat(72)}\n${name} ${version} (${license})\n\n${text.trim()}\n`);
  }
  return parts.join("\n");
}

function billOfMaterials(packages: readonly BundledPackage[]): string {
  // The views are bundled already, as modules of the package.
  const [, name, version] = /^npm:(.+)@(.+)$/.exec(manifest.imports.preact)!;
  const components = [...packages, { name: name!, version: version! }].map((part) => {
    const purl = `pkg:npm/${part.name.replace("@", "%40")}@${part.version}`;
    return { type: "library", "bom-ref": purl, name: part.name, version: part.version, purl };
  });
  const component = { type: "application", name: manifest.name, version: manifest.version };
  const head = { bomFormat: "CycloneDX", specVersion: "1.6", version: 1, metadata: { component } };
  return `${JSON.stringify({ ...head, components }, null, 2)}\n`;
}

function publishedManifest(): unknown {
  const { exports, imports, lint: _lint, fmt: _fmt, tasks: _tasks, publish, ...rest } = manifest;
  const names = Object.entries(imports).filter(([name]) => !name.startsWith("test/"));
  const entries = Object.entries(exports);
  return {
    ...rest,
    exclude: [],
    exports: Object.fromEntries(
      entries.map(([name, path]) => [name, `./${BUNDLE}/${bundled(path.replace("./", ""))}`]),
    ),
    imports: Object.fromEntries(names),
    publish: { include: [...publish.include, "NOTICE", SBOM] },
  };
}
