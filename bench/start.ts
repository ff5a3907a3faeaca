/**
 * The parts of a start: the runtime, the SDK, and the server up to its first list and first
 * inspect, as published and from a checkout. Medians, and the fastest, which a busy machine
 * distorts least. Writes its section of `bench/RESULTS.md`.
 *
 * Run: `deno run -A bench/start.ts [starts of each]`
 */

import { join, relative } from "node:path";
import { DEFAULT_VERSION, PLAN_PACKAGE } from "../src/npm/names.ts";
import { publishToRegistry } from "../tests/support/jsr.ts";
import { makeProject, SMALL_PLAN } from "../tests/support/project.ts";
import { FROM_REGISTRY } from "../tests/support/published.ts";
import { fullPlan, PLAN_BUNDLE, realPlan } from "../tests/support/real_plan.ts";
import { copyExample } from "../tests/support/run.ts";
import {
  childEnvironment,
  README_PERMISSIONS,
  ROOT,
  type StartOptions,
} from "../tests/support/server.ts";
import { connected, timed } from "./connected.ts";
import { circumstances, table, writeSection } from "./results.ts";

const RUNS = Number(Deno.args[0] ?? 9);
/** The idle time for background work before a measurement, in milliseconds. */
const WARM_MS = 4000;

/** The part of a start outside this server: modules that run until they end. */
const FLOORS = {
  "an empty module is run": "",
  "Node's modules that plugins see": ["fs", "module", "process", "stream", "tty", "worker_threads"]
    .map((name) => `import "node:${name}";`).join(""),
  "the plan's package is found": 'import "node:process";' +
    `await import(["npm:${PLAN_PACKAGE}@${DEFAULT_VERSION}", "diff"].join("/"));`,
};

/** An SDK server without tools, on stdio. */
const SDK_ALONE = `
  import { Server } from "@modelcontextprotocol/server";
  const server = new Server({ name: "alone", version: "1" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", () => ({ tools: [] }));
  const transport = {
    start: async () => {},
    send: async (message) => {
      await Deno.stdout.write(new TextEncoder().encode(JSON.stringify(message) + "\\n"));
    },
    close: async () => {},
  };
  await server.connect(transport);
  let rest = "";
  for await (const text of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\\n");
    rest = lines.pop();
    for (const line of lines) transport.onmessage(JSON.parse(line));
  }`;

/** The duration of one start, in milliseconds. */
interface Start {
  initialize: number;
  list: number;
  inspect?: number;
}

await using registry = await publishToRegistry();
const PUBLISHED: StartOptions = {
  entry: "jsr:@refrakt/mcp",
  grants: [...FROM_REGISTRY, ...README_PERMISSIONS],
  env: { ...childEnvironment(), JSR_URL: registry.url },
};
const projects = [
  ["an empty directory", makeProject()],
  ["a small plan", makeProject(SMALL_PLAN)],
  ["the real plan", PLAN_BUNDLE === undefined ? realPlan() : fullPlan()],
  ["plan, docs and site", copyExample("site-and-plan")],
] as const;

const rows: string[][] = [["ms", "published", "fastest", "checkout", "fastest"]];
const sdkAlone = moduleOf(SDK_ALONE);
const CONFIG = `${ROOT}deno.json`;
for (const [name, source] of Object.entries(FLOORS)) {
  const [times] = await alternating([() => runModule(source, CONFIG)]);
  row(name, [], times!);
}
const [alone] = await alternating([() => startSdk(CONFIG)]);
for (const key of ["initialize", "list"] as const) {
  row(
    `the SDK alone: ${key === "list" ? "tools/list" : key}`,
    [],
    alone!.map((each) => each[key]),
  );
}
for (const [name, cwd] of projects) {
  const hasSite = cwd === projects[3][1];
  const [published, checkout] = await alternating([
    () => start(cwd, PUBLISHED, hasSite),
    () => start(cwd, {}, hasSite),
  ]) as [Start[], Start[]];
  for (const key of ["initialize", "list", ...(hasSite ? ["inspect" as const] : [])] as const) {
    const label = { initialize: "initialize", list: "tools/list", inspect: "first inspect*" }[key];
    row(
      `${label}, ${name}`,
      published.map((each) => each[key]!),
      checkout.map((each) => each[key]!),
    );
  }
}
await writeSection(
  "Start",
  `${circumstances()}

From the start of the process to the answer, with the documented command and warm caches: medians
and minimums of ${RUNS} starts, of the package from a local registry and of a checkout in turn. At a
load above 1, compare rows only. * Only the call, ${WARM_MS / 1000} s after the list.

The first rows are the lower bound, each including the start of the runtime: an empty module; the
Node modules that the plan plugin imports; Deno's lookup of the plugin's package in its npm cache;
and a server of the SDK alone, with an empty list.

${table(rows)}`,
);

function row(name: string, ...columns: readonly (readonly number[])[]): void {
  rows.push([
    name,
    ...columns.flatMap((times) => {
      if (times.length === 0) return ["", ""];
      const sorted = times.toSorted((a, b) => a - b);
      return [sorted[sorted.length >> 1]!, sorted[0]!].map((ms) => String(Math.round(ms)));
    }),
  ]);
}

/** Starts a server up to its list, then its first inspect after the idle time. */
async function start(cwd: string, options: StartOptions, inspects: boolean): Promise<Start> {
  const started = performance.now();
  let initialize = 0;
  const server = await connected(cwd, options, () => initialize = performance.now() - started);
  const times: Start = { initialize, list: performance.now() - started };
  if (inspects) {
    await new Promise((resolve) => setTimeout(resolve, WARM_MS));
    times.inspect = await timed(() => server.call("refrakt.inspect", { rune: "hint" }));
  }
  await server.end();
  return times;
}

function moduleOf(source: string): string {
  const file = join(Deno.makeTempDirSync(), "main.js");
  Deno.writeTextFileSync(file, source);
  return file;
}

/** Starts a server of the SDK alone, with the import map of a configuration. */
function startSdk(config: string): Promise<Start> {
  const grants = [`--config=${config}`, ...README_PERMISSIONS];
  return start(makeProject(), { grants, entry: relative(ROOT, sdkAlone) }, false);
}

/** Runs a module with the documented permissions and the import map of a configuration. */
async function runModule(source: string, config: string): Promise<number> {
  const file = moduleOf(source);
  const started = performance.now();
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", `--config=${config}`, ...README_PERMISSIONS, file],
    cwd: makeProject(),
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return performance.now() - started;
}

/** The results of alternating runs; a first one of each fills the caches and is not counted. */
async function alternating<Value>(runs: readonly (() => Promise<Value>)[]): Promise<Value[][]> {
  const values: Value[][] = runs.map(() => []);
  for (let count = 0; count <= RUNS; count++) {
    for (const [index, run] of runs.entries()) {
      const value = await run();
      if (count > 0) values[index]!.push(value);
    }
  }
  return values;
}
