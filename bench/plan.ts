/**
 * The plan's tools at 1 and 10 times a real plan, with the documented permissions: first calls and
 * concurrent pings, warm calls, and resident memory. Uses the real plan if it is beside the checkout,
 * else the excerpt of the tests. Prints its section of `bench/RESULTS.md`.
 *
 * Run: `deno run -A bench/plan.ts [scales, as 1,10]`
 */

import { dirname, join } from "node:path";
import { commitAll, git } from "../tests/support/project.ts";
import { fullPlan, PLAN_BUNDLE, realPlan } from "../tests/support/real_plan.ts";
import { connected, timed } from "./connected.ts";
import { printSection, table } from "./results.ts";

const ID = "WORK-003";
const CALLS = {
  "plan_status": ["plan_status", {}],
  "one entity": [`refrakt://plan/work/${ID}`, {}],
  "plan_next": ["plan_next", {}],
  "search": ["plan_list", { text: "sandbox" }],
  "history of one": ["plan_history", { id: ID }],
  "history, all": ["plan_history", {}],
  "plan_update": ["plan_update", { id: ID, assignee: "bench" }],
} as const;

/** The calls before memory is measured; the first is timed with pings. */
const FIRST_CALLS = ["plan_next", "plan_status", "plan_validate", "plan_history"] as const;
/** The number of warm calls per median. */
const ROUNDS = 25;
/** The delay after the list in which the plan is read in the background, in milliseconds. */
const BACKGROUND_MS = 5000;
const scales = (Deno.args[0] ?? "1,10").split(",").map(Number);
const columns: Map<string, string>[] = [];
for (const scale of scales) columns.push(await measure(scale));
const rows = [...columns[0]!.keys()].map((label) => [
  label,
  ...columns.map((column) => column.get(label)!),
]);
const text = `First ${FIRST_CALLS.join(", ")}, one after the other; then medians of
${ROUNDS} warm calls.

Without a watcher, warm calls look at every file. "floor" is the lower bound for that: one
Deno.lstatSync per file, under the same permissions, in a process of its own; a third of it is
Deno's permission check.

${table([["", ...scales.map((scale) => `${scale} ×`)], ...rows])}`;
printSection("Plan", text);

/** One column: the measurements at one size, by row. */
async function measure(scale: number): Promise<Map<string, string>> {
  const dir = scaled(scale);
  const found = new Map([["entities", String([...markdown(join(dir, "plan"))].length)]]);
  found.set("first plan_next after 5 s, ms", await firstNextLater(dir));
  const server = await connected(dir);
  const { call } = server;
  let slowest = 0;
  let running = true;
  const pinging = (async () => {
    while (running) {
      slowest = Math.max(slowest, await timed(() => server.request("ping", {})));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  for (const name of FIRST_CALLS) {
    found.set(`first ${name}, ms`, (await timed(() => call(name))).toFixed(0));
    if (!running) continue;
    running = false;
    await pinging;
    found.set("slowest ping during it, ms", slowest.toFixed(0));
  }
  found.set("resident after the first calls, MB", residentOf(server.pid));
  for (const [name, [tool, args]] of Object.entries(CALLS)) {
    await call(tool, args);
    const taken: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      // An unchanged value would not be written.
      const given = tool === "plan_update" ? { ...args, assignee: `bench-${round}` } : args;
      taken.push(await timed(() => call(tool, given)));
    }
    found.set(`${name}, warm, ms`, taken.toSorted((a, b) => a - b)[ROUNDS >> 1]!.toFixed(1));
  }
  found.set("resident after all calls, MB", residentOf(server.pid));
  await server.end();
  await Deno.remove(dirname(dir), { recursive: true });
  return found;
}

/** The first `plan_next` after the plan was read in the background. */
async function firstNextLater(dir: string): Promise<string> {
  const server = await connected(dir);
  await new Promise((resolve) => setTimeout(resolve, BACKGROUND_MS));
  const taken = await timed(() => server.call("plan_next"));
  await server.end();
  return taken.toFixed(0);
}

/** The resident memory of a process in MB; empty if the system does not report it. */
function residentOf(pid: number): string {
  if (Deno.build.os !== "linux") return "";
  const kilobytes = /VmRSS:\s+(\d+)/.exec(Deno.readTextFileSync(`/proc/${pid}/status`))?.[1];
  return (Number(kilobytes) / 1024).toFixed(0);
}

/** The real plan, and copies of it with other ids beside it. */
function scaled(scale: number): string {
  const dir = PLAN_BUNDLE === undefined ? realPlan() : fullPlan();
  // Git's background packing would interfere with the packing below.
  git(dir, "config", "gc.auto", "0");
  git(dir, "config", "maintenance.auto", "false");
  const files = [...markdown(join(dir, "plan"))];
  for (let copy = 1; copy < scale; copy++) {
    for (const file of files) {
      const text = Deno.readTextFileSync(file)
        .replace(
          /\b(WORK|BUG|SPEC|ADR)-(\d{3})\b/g,
          (_, type, number) => `${type}-${copy}${number}`,
        )
        .replace(/\bname="/g, () => `name="c${copy}-`);
      const target = join(dir, "plan", `copy-${copy}`, file.slice(join(dir, "plan").length));
      Deno.mkdirSync(dirname(target), { recursive: true });
      Deno.writeTextFileSync(target, text);
    }
    commitAll(dir, `Copy ${copy}`);
  }
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
