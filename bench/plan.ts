/**
 * A plan project under the documented grants, beside the refrakt CLI forked per
 * call: the start, the first and the warm calls, and the memory before a plugin
 * is loaded. On a real plan where one lies beside the checkout, else on a made-up
 * one of the same size.
 *
 * Run: `deno run -A bench/plan.ts [rounds]`
 */

import { join } from "node:path";
import { runCli } from "../tests/support/lab.ts";
import { commitAll, entity, type Files, makeProject } from "../tests/support/project.ts";
import { startRaw } from "../tests/support/raw.ts";
import { askCli, PLAN_BUNDLE, realPlan, withoutCli } from "../tests/support/real_plan.ts";

const PARAMS = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "bench", version: "1.0.0" },
};
const rounds = Number(Deno.args[0] ?? 20);
const [dir, id] = PLAN_BUNDLE === undefined ? madeUp() : [realPlan(), "WORK-003"];

const CALLS: { name: string; args?: Record<string, unknown>; cli?: string[] }[] = [
  { name: "plan.next", cli: ["next"] },
  { name: "plan.status", cli: ["status"] },
  { name: "plan.history", args: { id }, cli: ["history", id] },
  { name: "plan.history", cli: ["history"] },
  { name: "refrakt://plan/index" },
  { name: `refrakt://plan/work/${id}` },
];

print("start (median)", "ms", "beside");
const bare = await median(rounds, bareRun);
print("bare deno run", bare.toFixed(0), "1.0");
for (const what of ["initialize", "tools/list"] as const) {
  const taken = await median(rounds, () => start(what));
  print(`spawn to ${what}`, taken.toFixed(0), `${(taken / bare).toFixed(1)} × bare`);
}
print("resident memory before a plugin", `${(await memory()).toFixed(0)} MB`, "");

const first = new Map<string, number[]>();
const warm = new Map<string, number>();
for (const { name, args } of CALLS) {
  const key = keyOf(name, args);
  for (let round = 0; round < 3; round++) {
    const cold = await serve();
    const taken = await timed(() => cold.call(name, args));
    first.set(key, [...first.get(key) ?? [], taken]);
    await cold.server.end();
  }
}
const { call, server } = await serve();
for (const { name, args } of CALLS) {
  await call(name, args);
  warm.set(keyOf(name, args), await median(rounds, () => call(name, args)));
}
await server.end();
const forked = new Map<string, number>();
await askCli(dir, "next");
for (const { name, args, cli } of CALLS) {
  if (cli === undefined) continue;
  const flags = ["--format", "json"];
  forked.set(keyOf(name, args), await median(3, () => runCli(dir, "plan", ...cli, ...flags)));
}
withoutCli(dir);

print("call", "cold ms", "warm ms", "CLI ms", "times faster");
for (const { name, args } of CALLS) {
  const key = keyOf(name, args);
  const theirs = forked.get(key);
  print(
    key,
    middle(first.get(key)!).toFixed(0),
    warm.get(key)!.toFixed(1),
    theirs?.toFixed(0) ?? "-",
    theirs === undefined ? "-" : (theirs / warm.get(key)!).toFixed(0),
  );
}
await Deno.remove(dir, { recursive: true });

/** A server that is ready; a name with `://` is a resource. */
async function serve() {
  const server = startRaw(dir);
  await server.request("initialize", PARAMS);
  server.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  return {
    server,
    call: async (name: string, args: Record<string, unknown> = {}) => {
      const answer = name.includes("://")
        ? await server.request("resources/read", { uri: name })
        : await server.request("tools/call", { name, arguments: args });
      if (answer.error !== undefined || answer.result?.["isError"]) {
        throw new Error(JSON.stringify(answer).slice(0, 300));
      }
    },
  };
}

async function start(what: "initialize" | "tools/list"): Promise<number> {
  const started = performance.now();
  const server = startRaw(dir);
  await server.request("initialize", PARAMS);
  if (what === "tools/list") {
    server.send({ jsonrpc: "2.0", method: "notifications/initialized" });
    await server.request("tools/list", {});
  }
  const taken = performance.now() - started;
  await server.end();
  return taken;
}

async function bareRun(): Promise<number> {
  const started = performance.now();
  const args = ["run", "--no-config", "--no-lock", "data:text/javascript,0"];
  await new Deno.Command(Deno.execPath(), { args, cwd: dir }).output();
  return performance.now() - started;
}

/** What the process holds when it has answered `initialize`, in megabytes; Linux tells. */
async function memory(): Promise<number> {
  const server = startRaw(dir);
  await server.request("initialize", PARAMS);
  let resident = Number.NaN;
  try {
    const status = await Deno.readTextFile(`/proc/${server.pid}/status`);
    resident = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
  } catch {
    // Another system.
  }
  await server.end();
  return resident;
}

/** A made-up plan of the size of a real one, with a commit for each entity. */
function madeUp(): [string, string] {
  const files: Record<string, string> = {};
  for (let n = 1; n <= 680; n++) {
    const made = `WORK-${String(n).padStart(3, "0")}`;
    const status = n % 5 === 0 ? "ready" : "done";
    const body = `## Acceptance Criteria\n- [ ] ${made} works\n\n## Notes\n\n${
      "Text. ".repeat(200)
    }\n`;
    const attributes = { id: made, status, priority: "medium", complexity: "simple" };
    files[`plan/work/${made}-item.md`] = entity("work", attributes, `Item ${n}`, body);
  }
  const cwd = makeProject(files satisfies Files);
  commitAll(cwd, "Begin");
  for (let n = 1; n <= 100; n++) {
    const path = join(cwd, `plan/work/WORK-${String(n).padStart(3, "0")}-item.md`);
    Deno.writeTextFileSync(path, Deno.readTextFileSync(path).replace("done", "review"));
    commitAll(cwd, `Change ${n}`);
  }
  return [cwd, "WORK-003"];
}

function keyOf(name: string, args: Record<string, unknown> = {}): string {
  return [name, ...Object.values(args)].join(" ");
}

/** The middle of the times of several runs; a run that gives a number has timed itself. */
async function median(times: number, run: () => Promise<unknown>): Promise<number> {
  const taken: number[] = [];
  for (let round = 0; round < times; round++) {
    const started = performance.now();
    const own = await run();
    taken.push(typeof own === "number" ? own : performance.now() - started);
  }
  return middle(taken);
}

function middle(taken: number[]): number {
  return taken.toSorted((a, b) => a - b)[Math.floor(taken.length / 2)]!;
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await run();
  return performance.now() - started;
}

function print(...cells: string[]): void {
  const line = cells.map((cell, column) => column === 0 ? cell.padEnd(34) : cell.padStart(14));
  Deno.stdout.writeSync(new TextEncoder().encode(`${line.join("")}\n`));
}
