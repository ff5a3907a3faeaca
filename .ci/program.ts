/**
 * Bundles what runs of the published package: few modules in place of four hundred, as
 * readable as the sources, with their comments.
 *
 * @module
 */

import { dirname, join, relative, resolve } from "node:path";
import { type OutputChunk, type Plugin, rollup } from "build/rollup";
import { chunksOf, WORKERS } from "./chunks.ts";
import { compiledAtOnce } from "./eager.ts";
import { runDeno } from "./run_deno.ts";

/** What is bundled. */
export interface Program {
  /** The checkout. */
  readonly root: string;
  /** The sources, by path. */
  readonly sources: readonly string[];
  /** The exported modules. */
  readonly entries: readonly string[];
  /** The functions that every start runs, by checksum. */
  readonly started: ReadonlySet<string>;
  /** The specifiers of npm packages, with the paths of the modules that they stand for. */
  readonly packages: Readonly<Record<string, string>>;
}

/** The only text of the manifest that the program needs. */
const MANIFEST = "deno.json";

/**
 * Bundles the program.
 *
 * @param folder Where the modules will lie in the package.
 * @returns The modules, by their path in that folder.
 */
export async function bundleProgram(
  { root, sources, entries, started, packages }: Program,
  folder: string,
): Promise<Map<string, string>> {
  const transpiled = await Deno.makeTempDir({ prefix: "refrakt-mcp-build-" });
  try {
    await transpile(root, sources, transpiled);
    const idOf = (path: string) => join(transpiled, path.replace(/\.ts$/, ".js"));
    const inputs = [...entries, ...WORKERS];
    const bundle = await rollup({
      input: Object.fromEntries(inputs.map((path) => [path.replace(/\.ts$/, ""), idOf(path)])),
      plugins: [resolver(root, Object.keys(packages))],
      onwarn: ({ code, message }) => {
        // Two sources that call each other are no problem; two bundled modules would be.
        if (code !== "CIRCULAR_DEPENDENCY") throw new Error(message);
      },
    });
    let chunks: Map<string, string> | undefined;
    const { output } = await bundle.generate({
      format: "es",
      entryFileNames: "[name].js",
      chunkFileNames: "[name].js",
      generatedCode: "es2015",
      importAttributesKey: "with",
      minifyInternalExports: false,
      // An import that is there for its time alone would make a Worker load what it does not need.
      hoistTransitiveImports: false,
      manualChunks: (id, { getModuleIds, getModuleInfo }) => {
        const isSource = (each: string) => each.startsWith(transpiled);
        chunks ??= chunksOf(
          [...getModuleIds()].filter(isSource),
          (each) => (getModuleInfo(each)?.importedIds ?? []).filter(isSource),
          idOf,
        );
        return inputs.some((path) => idOf(path) === id) ? undefined : chunks.get(id);
      },
    });
    await bundle.close();
    return new Map(
      output.filter((file) => file.type === "chunk")
        .map((chunk) => [
          chunk.fileName,
          compiledAtOnce(ascii(linked(chunk, folder, packages)), started),
        ]),
    );
  } finally {
    await Deno.remove(transpiled, { recursive: true });
  }
}

/** Takes the types out of the sources. */
async function transpile(root: string, sources: readonly string[], out: string): Promise<void> {
  await runDeno(root, ["transpile", "--quiet", `--outdir=${out}`, ...sources]);
}

/** Finds the modules; those of the runtime and of npm packages stay imports. */
function resolver(root: string, packages: readonly string[]): Plugin {
  return {
    name: "sources",
    resolveId: (source, importer) => {
      if (source.startsWith("node:")) return { id: source, external: true };
      if (packages.includes(source)) return { id: source, external: true };
      if (importer === undefined) return source;
      if (!source.startsWith(".")) throw new Error(`${importer} imports ${source}`);
      return resolve(dirname(importer), source).replace(/\.ts$/, ".js");
    },
    load: async (id) => {
      if (!id.endsWith(`/${MANIFEST}`)) return await Deno.readTextFile(id);
      const { version } = JSON.parse(await Deno.readTextFile(join(root, MANIFEST)));
      return `export default ${JSON.stringify({ version })};`;
    },
  };
}

/** A bundled module, with the ways to npm packages and Workers as they are in the package. */
function linked(
  { code, fileName }: OutputChunk,
  folder: string,
  packages: Readonly<Record<string, string>>,
): string {
  const from = dirname(join(folder, fileName));
  const found = code.replace(
    /(?<=\b(?:from|import) |\bimport\()'([^'.][^']*)'/g,
    (text, name: string) =>
      Object.hasOwn(packages, name) ? JSON.stringify(way(from, packages[name]!)) : text,
  );
  return WORKERS.reduce((text, worker) => {
    const path = worker.replace(/\.ts$/, ".js");
    const source = `"./${worker.split("/").at(-1)}"`;
    return text.replaceAll(source, JSON.stringify(way(from, join(folder, path))));
  }, found);
}

/** The runtime keeps a text in half the memory, and reads it faster, where all of it is ASCII. */
function ascii(code: string): string {
  return code.replace(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** A relative specifier from a folder to a file. */
export function way(folder: string, file: string): string {
  const path = relative(folder, file).replaceAll("\\", "/");
  return path.startsWith(".") ? path : `./${path}`;
}
