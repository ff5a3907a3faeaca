/**
 * Which bundled module a source lies in. A start reads every module that it may come to
 * import, so there are few; and each is evaluated as a whole, so there is one for each
 * thing that is needed at its own time.
 *
 * @module
 */

/** What a source imports, by its id. */
export type Imports = (id: string) => readonly string[];

/** What a bundled module is made of: all that these sources import statically, and themselves. */
interface Chunk {
  readonly name: string;
  readonly sources: readonly string[];
}

/** Modules that are started as Workers. */
export const WORKERS: readonly string[] = [
  "src/plugin_host/plugin_worker.ts",
  "src/site/engine/engine_worker.ts",
];

/** What may be imported without an npm package, and says why the rest cannot be loaded. */
const LIBRARY: readonly string[] = ["mod.ts", "src/lib/plugin.ts"];

/** What every start needs up to its first list. */
const PROGRAM: Chunk = {
  name: "program",
  sources: [
    "src/cli/start.ts",
    "src/cli/main.ts",
    "src/sandbox/mod.ts",
    "src/tools/call.ts",
    "src/tools/lookup.ts",
    "src/tools/resource.ts",
    "src/workspace/mod.ts",
    "src/workspace/base_tools.ts",
  ],
};

/** What is needed at times of its own. */
const TOPICS: readonly Chunk[] = [
  { name: "protocol", sources: ["src/mcp/stdio.ts"] },
  { name: "plugins", sources: ["src/workspace/contributions.ts"] },
  { name: "site", sources: ["src/site/mod.ts"] },
  { name: "engine", sources: ["src/site/engine/mod.ts", ...WORKERS] },
  { name: "isolation", sources: ["src/plugin_host/isolated.ts", "src/sandbox/worker.ts"] },
  { name: "ralph", sources: ["plugins/ralph/plugin.ts"] },
];

/** What may also import one of those. */
const LATER: readonly Chunk[] = [
  { name: "views", sources: ["plugins/board/plan_board.ts", "plugins/board/preview.ts"] },
  {
    name: "http",
    sources: ["src/mcp/http_server.ts", "src/lib/embed.ts", "src/cli/view_server.ts"],
  },
];

/**
 * The bundled module of each source, by id; every other one is one of the commands.
 *
 * @param all The sources.
 * @param imports What they import.
 * @param idOf The id of a path in the package.
 */
export function chunksOf(
  all: Iterable<string>,
  imports: Imports,
  idOf: (path: string) => string,
): Map<string, string> {
  const reach = (paths: readonly string[]) => reachable(paths.map(idOf), imports);
  const topics = TOPICS.map(({ name, sources }) => ({ name, found: reach(sources) }));
  const program = reach(PROGRAM.sources);
  const workers = reach(WORKERS);
  const engine = reach(["src/site/engine/mod.ts"]);
  const sources = [...all];
  // The first that has it: what comes later may import what came before, and never the reverse.
  const layers: [name: string, ids: Iterable<string>][] = [
    ["library", reach(LIBRARY)],
    ["sandbox", [...program].filter((id) => workers.has(id))],
    [PROGRAM.name, program],
    ["common", sources.filter((id) => topics.filter(({ found }) => found.has(id)).length > 1)],
    // What takes hold of a Worker's own functions must not run elsewhere.
    ["worker", [...workers].filter((id) => !engine.has(id))],
    ...topics.map(({ name, found }) => [name, found] as [string, Set<string>]),
    ...LATER.map(({ name, sources }) => [name, reach(sources)] as [string, Set<string>]),
    ["commands", sources],
  ];
  const chunks = new Map<string, string>();
  for (const [name, ids] of layers) {
    for (const id of ids) if (!chunks.has(id)) chunks.set(id, name);
  }
  return chunks;
}

/** Some modules and all that they import statically. */
function reachable(ids: readonly string[], imports: Imports): Set<string> {
  const found = new Set(ids);
  for (const id of found) for (const imported of imports(id)) found.add(imported);
  return found;
}
