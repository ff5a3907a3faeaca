/**
 * What a start is made of: the runtime, the SDK, the plan plugin, and the server up to
 * its first list. Medians, and the fastest, which a busy machine distorts least. Writes
 * its section of `bench/RESULTS.md`.
 *
 * Run: `deno run -A bench/start.ts`
 */

import { join } from "node:path";
import { makeProject, SMALL_PLAN } from "../tests/support/project.ts";
import { startRaw } from "../tests/support/raw.ts";
import { copyExample } from "../tests/support/run.ts";
import { README_PERMISSIONS, ROOT } from "../tests/support/server.ts";
import { circumstances, table, writeSection } from "./results.ts";

const RUNS = 5;
const PARAMS = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "inspector-client", version: "1.0.0" },
};
const SDK = 'await import("@modelcontextprotocol/server");' +
  'await import("@modelcontextprotocol/server/stdio");';
const PLAN = 'Object.defineProperty(process, "env", { value: {} });' +
  'await import(["npm:@refrakt-md/plan@0.25.1", "cli-plugin"].join("/"));';

const rows: string[][] = [["up to", "median, ms", "fastest, ms"]];
const row = (name: string, times: number[]) => {
  const sorted = times.toSorted((a, b) => a - b);
  rows.push([name, ...[sorted[RUNS >> 1]!, sorted[0]!].map((ms) => String(Math.round(ms)))]);
};

row("an empty module is run", await repeated(() => runModule("")));
row("the SDK is imported", await repeated(() => runModule(SDK)));
row("the plan plugin is imported, alone", await repeated(() => runModule(PLAN)));
for (
  const [name, cwd] of [
    ["in an empty directory", makeProject()],
    ["with a small plan", makeProject(SMALL_PLAN)],
    ["with a plan and a site", copyExample("site-and-plan")],
  ] as const
) {
  const initialized: number[] = [];
  const listed = await repeated(async () => {
    const started = performance.now();
    const server = startRaw(cwd);
    await server.request("initialize", PARAMS);
    initialized.push(performance.now() - started);
    server.send({ jsonrpc: "2.0", method: "notifications/initialized" });
    await server.request("tools/list", {});
    const ms = performance.now() - started;
    await server.end();
    return ms;
  });
  row(`initialize is answered, ${name}`, initialized);
  row(`tools/list is answered, ${name}`, listed);
}
await writeSection(
  "Start",
  `${circumstances()} ${RUNS} starts each from a checkout, with
warm caches, one after the other; at a load above 1, rows can be compared and times cannot.

The floor is the runtime, the SDK and the plan plugin, one after the other: a list has the names and
schemas that the plugin declares, and they come with its code. From the SDK to \`initialize\` it is
the server's own modules; from there to \`tools/list\` it is the plugin, and finding its version.

${table(rows)}`,
);

/** Runs a module under the documented grants until it ends. */
async function runModule(source: string): Promise<number> {
  const file = join(Deno.makeTempDirSync(), "main.ts");
  Deno.writeTextFileSync(file, `import process from "node:process";${source}`);
  const started = performance.now();
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", `--config=${ROOT}deno.json`, ...README_PERMISSIONS, file],
    cwd: makeProject(),
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return performance.now() - started;
}

/** What each run took, in milliseconds; a first one fills the caches and does not count. */
async function repeated(run: () => Promise<number>): Promise<number[]> {
  await run();
  const times: number[] = [];
  for (let count = 0; count < RUNS; count++) times.push(await run());
  return times;
}
