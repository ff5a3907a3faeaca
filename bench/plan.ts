/**
 * The plan's tools at 1, 10 and 100 times a real plan, under the documented grants,
 * beside the refrakt CLI forked per call: the first call and the pings during it, warm
 * calls, and resident memory. On the real plan where it lies beside the checkout, else
 * on the excerpt that the tests use. Writes its section of `bench/RESULTS.md`.
 *
 * Run: `deno run -A bench/plan.ts [scales, as 1,10,100]`
 */

import { dirname, join } from "node:path";
import { runCli } from "../tests/support/lab.ts";
import { commitAll, git } from "../tests/support/project.ts";
import { startRaw } from "../tests/support/raw.ts";
import { askCli, fullPlan, PLAN_BUNDLE, realPlan, withoutCli } from "../tests/support/real_plan.ts";
import { circumstances, table, writeSection } from "./results.ts";

const PARAMS = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "inspector-client", version: "1.0.0" },
};
const ID = "WORK-003";
/** The status comes first: it needs everything, so what is parsed in advance is done after it. */
const CALLS = {
  "plan.status": ["plan.status", {}],
  "one entity": [`refrakt://plan/work/${ID}`, {}],
  "plan.next": ["plan.next", {}],
  "history of one": ["plan.history", { id: ID }],
  "history, all": ["plan.history", {}],
  "plan.update": ["plan.update", { id: ID, assignee: "bench" }],
} as const;

const scales = (Deno.args[0] ?? "1,10,100").split(",").map(Number);
const columns: string[][] = [];
for (const scale of scales) columns.push(await measure(scale));
const labels = [
  "entities",
  "first plan.next, ms",
  "slowest ping during it, ms",
  ...Object.keys(CALLS).map((name) => `${name}, warm, ms`),
  "resident after all of it, MB",
  "CLI next, ms",
  "CLI status, ms",
];
const rows = labels.map((label, row) => [label, ...columns.map((column) => column[row]!)]);
const text = `${circumstances()} Medians of 9 warm calls; memory after next, status, validate and
history of everything.

${table([["", ...scales.map((scale) => `${scale} ×`)], ...rows])}`;
await writeSection("Plan", text);
Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));

/** One column: what is measured at one size. */
async function measure(scale: number): Promise<string[]> {
  const dir = scaled(scale);
  const server = startRaw(dir);
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const answer = name.includes("://")
      ? await server.request("resources/read", { uri: name })
      : await server.request("tools/call", { name, arguments: args });
    if (answer.error !== undefined || answer.result?.["isError"]) {
      throw new Error(JSON.stringify(answer).slice(0, 300));
    }
    return answer;
  };
  await server.request("initialize", PARAMS);
  server.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  await server.request("tools/list", {});
  let slowest = 0;
  let running = true;
  const pinging = (async () => {
    while (running) {
      slowest = Math.max(slowest, await timed(() => server.request("ping", {})));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  const first = await timed(() => call("plan.next"));
  running = false;
  await pinging;
  const warm: string[] = [];
  for (const [name, args] of Object.values(CALLS)) {
    await call(name, args);
    const taken: number[] = [];
    for (let round = 0; round < 9; round++) taken.push(await timed(() => call(name, args)));
    warm.push(taken.toSorted((a, b) => a - b)[4]!.toFixed(1));
  }
  await call("plan.validate");
  const status = await Deno.readTextFile(`/proc/${server.pid}/status`).catch(() => "");
  const resident = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
  await server.end();
  const cli: string[] = [];
  for (const command of ["next", "status"]) {
    if (scale > 10) {
      cli.push("-");
      continue;
    }
    await askCli(dir, command);
    cli.push((await timed(() => runCli(dir, "plan", command, "--format", "json"))).toFixed(0));
  }
  withoutCliIfThere(dir);
  const entities = [...markdown(join(dir, "plan"))].length;
  await Deno.remove(dirname(dir), { recursive: true });
  return [
    String(entities),
    first.toFixed(0),
    slowest.toFixed(0),
    ...warm,
    resident.toFixed(0),
    ...cli,
  ];
}

/** The real plan, and copies of it with other ids beside it. */
function scaled(scale: number): string {
  const dir = PLAN_BUNDLE === undefined ? realPlan() : fullPlan();
  const files = [...markdown(join(dir, "plan"))];
  for (let copy = 1; copy < scale; copy++) {
    for (const file of files) {
      const text = Deno.readTextFileSync(file)
        .replace(
          /\b(WORK|BUG|SPEC|ADR)-(\d{3})\b/g,
          (_, type, number) => `${type}-${copy}${number}`,
        )
        .replace(/\bname="/g, `name="c${copy}-`);
      const target = join(dir, "plan", `copy-${copy}`, file.slice(join(dir, "plan").length));
      Deno.mkdirSync(dirname(target), { recursive: true });
      Deno.writeTextFileSync(target, text);
    }
    if (scale <= 10) commitAll(dir, `Copy ${copy}`);
  }
  if (scale > 10) commitAll(dir, "Copies");
  git(dir, "gc", "-q");
  return dir;
}

function* markdown(folder: string): Generator<string> {
  for (const entry of Deno.readDirSync(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory) yield* markdown(path);
    else if (entry.name.endsWith(".md")) yield path;
  }
}

function withoutCliIfThere(dir: string): void {
  try {
    withoutCli(dir);
  } catch {
    // The CLI was not asked.
  }
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await run();
  return performance.now() - started;
}
