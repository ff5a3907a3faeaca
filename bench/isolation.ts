/**
 * The cost of running the site pipeline in a Worker: start, first and later answers, and
 * memory, with and without `--isolate`, as medians. Writes its section of `bench/RESULTS.md`.
 *
 * Run: `deno run -A bench/isolation.ts [rounds]`
 */

import { coreSite } from "../tests/site/projects.ts";
import { makeProject, SMALL_PLAN } from "../tests/support/project.ts";
import { type RawServer, startRaw } from "../tests/support/raw.ts";
import { ROOT } from "../tests/support/server.ts";
import { circumstances, table, writeSection } from "./results.ts";

const GRANTS = [
  "--no-prompt",
  "--unstable-worker-options",
  `--allow-read=.,${ROOT}`,
  "--allow-write=plan",
  "--allow-run=git",
];
const rounds = Number(Deno.args[0] ?? 7);
const CALLS = 50;
/** The idle time for background work before a measurement, in milliseconds. */
const WARM_MS = 4000;

interface Figures {
  list: number;
  /** The first call, right after the list. */
  first: number;
  /** The first call of another server, some time after the list. */
  later: number;
  warm: number;
  megabytes: number;
}

const rows = [["", "list, ms", "first call, ms", "first call*, ms", "call, ms", "resident, MB"]];
for (
  const [what, cwd, tool, input] of [
    ["a site", coreSite(), "refrakt.inspect", { rune: "hint" }],
    ["a plan alone", makeProject(SMALL_PLAN), "plan.next", {}],
  ] as const
) {
  const runs: Record<string, Figures[]> = { "in the process": [], "with --isolate": [] };
  for (let round = 0; round < rounds; round++) {
    runs["in the process"]!.push(await measure(cwd, [], tool, input));
    runs["with --isolate"]!.push(await measure(cwd, ["--isolate"], tool, input));
  }
  for (const [name, figures] of Object.entries(runs)) {
    const of = (field: keyof Figures) => median(figures.map((each) => each[field]));
    rows.push([
      `${what}, ${name}`,
      ...(["list", "first", "later"] as const).map((field) => of(field).toFixed(0)),
      of("warm").toFixed(1),
      of("megabytes").toFixed(0),
    ]);
  }
}
const text = `${circumstances()}

Medians of ${rounds} starts of a checkout. The first call follows the list at once; with *, after
${
  WARM_MS / 1000
} s, in which the Worker starts in the background. Warm calls: medians of ${CALLS}. The targets
for --isolate are 40 ms and 40 MB with a site, and nothing without one.

${table(rows)}`;
await writeSection("Isolation", text);
Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));

async function measure(
  cwd: string,
  args: string[],
  tool: string,
  input: Record<string, unknown>,
): Promise<Figures> {
  const { server: warmed } = await start(cwd, args);
  await new Promise((resolve) => setTimeout(resolve, WARM_MS));
  const later = await timed(warmed, tool, input);
  await warmed.end();

  const { server, list } = await start(cwd, args);
  const call = () => timed(server, tool, input);
  const first = await call();
  const calls: number[] = [];
  for (let index = 0; index < CALLS; index++) calls.push(await call());
  const megabytes = memoryOf(server.pid);
  await server.end();
  return { list, first, later, warm: median(calls), megabytes };
}

/** Starts a server; `list` is the time until the first list, in milliseconds. */
async function start(cwd: string, args: string[]): Promise<{ server: RawServer; list: number }> {
  const begin = performance.now();
  const server = startRaw(cwd, { grants: GRANTS, args });
  await server.request("initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "bench", version: "1" },
  });
  server.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  await server.request("tools/list", {});
  return { server, list: performance.now() - begin };
}

async function timed(server: RawServer, name: string, input: object): Promise<number> {
  const begin = performance.now();
  await server.request("tools/call", { name, arguments: input });
  return performance.now() - begin;
}

/** The memory of the process; only Linux reports it. */
function memoryOf(pid: number): number {
  try {
    const status = Deno.readTextFileSync(`/proc/${pid}/status`);
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return NaN;
  }
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
