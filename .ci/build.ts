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
import { openProject } from "../src/host/open_project.ts";
import { jsonOf, outFolder, ROOT, runDeno } from "./run_deno.ts";

/**
 * The folder of the bundled modules: as deep as `src/packages`, whose `replaced_modules.ts` locates
 * `src` relative to itself.
 */
export const BUNDLE = "src/bundle";

/** The CycloneDX bill of materials in the published package and beside the binaries. */
const SBOM = "sbom.cdx.json";

/** Has the binary of SQLite as text, because packages on JSR cannot import bytes. */
const BINARY = "plugins/query/sqlite_binary.ts";

/** Has the tools of this package, as text. */
const TOOLS = "src/host/built_tools.ts";

/** Its modules for Node need a file to require from, those for browsers need nothing. */
const SQLITE = "@sqlite.org/sqlite-wasm";

/** The bundler labels an npm module by the path of its file in Deno's cache. */
const ORIGIN =
  /^( *(?:\/\/ |"))([^\s"]*\/npm\/[^/\s"]+\/((?:@[^/\s"]+\/)?[^/\s"]+)\/(\d[^/\s"]*))(?=\/)/gm;

/** How the bundler lets CommonJS require Node's modules: from a file, which a registry's module is not. */
const REQUIRE =
  /^import \{ createRequire as \w+ \} from "node:module";\n|\w*createRequire\(import\.meta\.url\)/gm;
const BUILT_IN = "(name) => globalThis.process.getBuiltinModule(name)";

/** Types in comments of npm packages: they name modules that the bundle does not have. */
const TYPE_IMPORT = /\bimport\('\.\/[^']*'\)\.(?=\w)/g;

/**
 * The condition of packages for other runtimes than Node. The SDK's validator is then
 * `@cfworker/json-schema`, which this package has anyway, and not Ajv, nearly half of its code.
 */
const CONDITION = "browser";

const NOTICE = `The modules in ${BUNDLE}/ were made by "deno bundle". They contain the npm packages
below, changed in these ways: their modules are joined into fewer files, unused code and most
comments are left out, names that would collide are changed, and "require" of a Node module is
process.getBuiltinModule. A comment before each module names its package, version and file.
`;

type BundledPackage = Readonly<Record<"name" | "version" | "folder", string>>;

if (import.meta.main) await build(outFolder("dist/jsr"));

/** Builds the package into a new folder, or copies the one that a run of all tests has built. */
export async function packageInto(out: string): Promise<void> {
  const built = Deno.env.get("REFRAKT_BUILT") ?? "";
  if (built === "") await build(out);
  else cpSync(built.slice(0, -BUNDLE.length), out, { recursive: true });
}

/** Builds the package into a folder, replacing it. */
export async function build(out: string): Promise<void> {
  const temporary = `${out}.${crypto.randomUUID().slice(0, 8)}`;
  try {
    await Deno.mkdir(temporary, { recursive: true });
    for (const path of manifest.publish.include) {
      cpSync(join(ROOT, path), join(temporary, path), { recursive: true });
    }
    const readme = join(temporary, "README.md");
    await Deno.writeTextFile(readme, publishedReadme(await Deno.readTextFile(readme)));
    const packages = await bundle(temporary);
    await Deno.writeTextFile(join(temporary, "NOTICE"), await notice(packages));
    await Deno.writeTextFile(join(temporary, SBOM), billOfMaterials(packages));
    await Deno.writeTextFile(join(temporary, "deno.json"), jsonOf(publishedManifest()));
    await Deno.remove(out, { recursive: true }).catch(() => {});
    await Deno.rename(temporary, out);
  } finally {
    await Deno.remove(temporary, { recursive: true }).catch(() => {});
  }
}

/** The README of what is on JSR does not say that it is not there. */
function publishedReadme(text: string): string {
  return text.replace(/^> .*not on JSR yet.*\n\n/m, "");
}

/** Bundles the entries of a copy of the sources; returns the npm packages that the bundle contains. */
async function bundle(root: string): Promise<BundledPackage[]> {
  const out = join(root, BUNDLE);
  const entries = Object.values(manifest.exports).map((path) => path.replace("./", ""));
  const [config, lock] = ["bundle.json", "bundle.lock"].map((path) => join(root, path));
  const replaced = { [BINARY]: await binaryModule(), [TOOLS]: await toolsModule() };
  const { unstable, nodeModulesDir } = manifest;
  // Its path in Deno's cache, because only the exports of a package can be imported by name.
  const info = await runDeno(ROOT, ["info", "--json", manifest.imports[SQLITE]]);
  const [{ localPath }] = Object.values(JSON.parse(info).npmPackages) as [{ localPath: string }];
  const sqlite = pathToFileURL(join(localPath, "dist/index.mjs")).href;
  const imports = { ...manifest.imports, [SQLITE]: sqlite };
  await Deno.copyFile(join(ROOT, "deno.lock"), lock!);
  await Deno.writeTextFile(config!, JSON.stringify({ unstable, nodeModulesDir, imports }));
  for (const [path, text] of Object.entries(replaced)) {
    await Deno.writeTextFile(join(root, path), text);
  }
  const flags = [
    ...["--quiet", "--platform=deno", "--code-splitting", `--outdir=${out}`],
    // Of their own, because deno.json is a module of the package.
    ...[`--config=${config}`, `--lock=${lock}`, "--frozen"],
  ];
  await runDeno(root, ["bundle", ...flags, ...entries], { DENO_CONDITIONS: CONDITION });
  for (const path of [config, lock]) await Deno.remove(path!);
  for (const path of Object.keys(replaced)) cpSync(join(ROOT, path), join(root, path));
  const packages = new Map<string, BundledPackage>();
  for (const name of readdirSync(out, { encoding: "utf8", recursive: true })) {
    const file = join(out, name);
    if (!name.endsWith(".js")) continue;
    const code = (await Deno.readTextFile(file))
      .replace(TYPE_IMPORT, "")
      .replace(REQUIRE, (text) => text.startsWith("import") ? "" : BUILT_IN)
      .replace(ORIGIN, (_, start: string, folder: string, name: string, version: string) => {
        packages.set(`${name}@${version}`, { name, version, folder: join(root, folder) });
        return `${start}npm:${name}@${version}`;
      });
    const entry = entries.find((path) => join(out, path.replace(/\.ts$/, ".js")) === file);
    const types = entry === undefined
      ? ""
      : `/* @ts-self-types="${relative(join(file, ".."), join(root, entry))}" */\n`;
    await Deno.writeTextFile(file, types + code);
  }
  return [...packages.values()].sort((a, b) => a.name < b.name ? -1 : 1);
}

/** A module that contains the binary of SQLite as text. */
async function binaryModule(): Promise<string> {
  const zipped = new Blob([sqlite]).stream().pipeThrough(new CompressionStream("gzip"));
  const text = new Uint8Array(await new Response(zipped).arrayBuffer()).toBase64();
  return `const GZIP = ${JSON.stringify(text)};
export async function sqliteBinary() {
  const zipped = new Blob([Uint8Array.fromBase64(GZIP)]).stream();
  const bytes = zipped.pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(bytes).arrayBuffer());
}
`;
}

/** A module that contains what lists show of the tools of this package. */
async function toolsModule(): Promise<string> {
  const { declaredTools } = await import("./declared_tools.ts");
  const tools = await declaredTools(openProject(join(ROOT, "examples/site-and-plan")));
  return `export const BUILT_TOOLS = ${JSON.stringify(tools)};\n`;
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
  return jsonOf({ ...head, components });
}

function publishedManifest(): unknown {
  const { exports, imports, lint: _lint, fmt: _fmt, tasks: _tasks, publish, ...rest } = manifest;
  const names = Object.entries(imports).filter(([name]) => !name.startsWith("jsr:"));
  const bundled = (path: string) => path.replace(".", () => `./${BUNDLE}`).replace(/\.ts$/, ".js");
  const entries = Object.entries(exports).map(([name, path]) => [name, bundled(path)]);
  return {
    ...rest,
    exclude: [],
    exports: Object.fromEntries(entries),
    imports: Object.fromEntries(names),
    publish: { include: [...publish.include, "NOTICE", SBOM] },
  };
}
