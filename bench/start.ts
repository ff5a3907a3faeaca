/**
 * The parts of a start: the server up to its first list, as published, beside a
 * server of the SDK alone. Medians, and the fastest, which a busy machine distorts least. Prints its
 * section of `bench/RESULTS.md`.
 *
 * Run: `deno run -A bench/start.ts [starts of each]`
 */

import { basename } from "node:path";
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
import { connected } from "./connected.ts";
import { printSection, table } from "./results.ts";

const RUNS = Number(Deno.args[0] ?? 9);
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
}

const LABELS = [
  ["initialize", "initialize"],
  ["list", "tools/list"],
] as const;

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

const sdkAlone = makeProject({ "main.js": SDK_ALONE });
const SDK: StartOptions = {
  grants: [`--config=${ROOT}deno.json`, ...README_PERMISSIONS],
  // Beside the project that it starts in.
  entry: `../${basename(sdkAlone)}/main.js`,
};

const rows: string[][] = [["ms", "median", "fastest"]];
const taken: Start[][] = ["SDK", ...projects].map(() => []);
// In turn; a first start of each fills the caches and is not counted.
for (let count = 0; count <= RUNS; count++) {
  const all = [await start(makeProject(), SDK)];
  for (const [, cwd] of projects) all.push(await start(cwd, PUBLISHED));
  if (count > 0) all.forEach((one, index) => taken[index]!.push(one));
}
for (const [index, starts] of taken.entries()) {
  for (const [key, label] of LABELS) {
    const times = starts.flatMap((one) => one[key]).sort((a, b) => a - b);
    const name = index === 0 ? "the SDK alone" : projects[index - 1]![0];
    const shown = [times[times.length >> 1]!, times[0]!].map((ms) => ms.toFixed(0));
    rows.push([`${label}, ${name}`, ...shown]);
  }
}
printSection(
  "Start",
  `From the start of the process to the answer, with the documented command and warm caches: medians
and minimums of ${RUNS} starts in turn, of the package from a local registry, and of a server of the
SDK alone with an empty list. At a load above 1, compare rows only.

${table(rows)}`,
);

/** Starts a server up to its list. */
async function start(cwd: string, options: StartOptions): Promise<Start> {
  const started = performance.now();
  let initialize = 0;
  const server = await connected(cwd, options, () => initialize = performance.now() - started);
  const times: Start = { initialize, list: performance.now() - started };
  await server.end();
  return times;
}
