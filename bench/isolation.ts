/**
 * What it costs to run the site pipeline in a Worker: the start of the server, its first
 * and its later answers, its memory, each with `--isolate` and without, as medians.
 *
 * Run: `deno run -A bench/isolation.ts [rounds]`
 */

import { coreSite } from "../tests/site/projects.ts";
import { makeProject, SMALL_PLAN } from "../tests/support/project.ts";
import { type RawServer, startRaw } from "../tests/support/raw.ts";
import { ROOT } from "../tests/support/server.ts";

const GRANTS = [
  "--no-prompt",
  "--unstable-worker-options",
  `--allow-read=.,${ROOT}`,
  "--allow-write=plan",
  "--allow-run=git",
];
const rounds = Number(Deno.args[0] ?? 7);
const CALLS = 50;

interface Figures {
  list: number;
  first: number;
  warm: number;
  megabytes: number;
}

for (
  const [what, cwd, tool, input] of [
    ["a site", coreSite(), "refrakt.inspect", { rune: "hint" }],
    ["a plan alone", makeProject(SMALL_PLAN), "plan.next", {}],
  ] as const
) {
  const runs: Record<string, Figures[]> = { process: [], isolated: [] };
  for (let round = 0; round < rounds; round++) {
    runs["process"]!.push(await measure(cwd, [], tool, input));
    runs["isolated"]!.push(await measure(cwd, ["--isolate"], tool, input));
  }
  for (const [name, figures] of Object.entries(runs)) {
    const of = (field: keyof Figures) => median(figures.map((each) => each[field])).toFixed(1);
    print(
      `${what}, ${name}: list ${of("list")} ms, first call ${of("first")} ms, ` +
        `call ${of("warm")} ms, ${of("megabytes")} MB`,
    );
  }
}

async function measure(
  cwd: string,
  args: string[],
  tool: string,
  input: Record<string, unknown>,
): Promise<Figures> {
  const begin = performance.now();
  const server = startRaw(cwd, { grants: GRANTS, args });
  await server.request("initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "bench", version: "1" },
  });
  await server.request("tools/list", {});
  const list = performance.now() - begin;
  const call = () => timed(server, tool, input);
  const first = await call();
  const calls: number[] = [];
  for (let index = 0; index < CALLS; index++) calls.push(await call());
  const megabytes = memoryOf(server.pid);
  await server.end();
  return { list, first, warm: median(calls), megabytes };
}

async function timed(server: RawServer, name: string, input: object): Promise<number> {
  const begin = performance.now();
  await server.request("tools/call", { name, arguments: input });
  return performance.now() - begin;
}

/** What the process holds in memory; only Linux tells. */
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

function print(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}
