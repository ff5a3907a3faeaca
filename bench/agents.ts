/**
 * Several agents on one plan: servers that claim items, tick their criteria and finish them at the
 * same time, each a process of its own under the documented grants. Every item must be done once,
 * by the agent that claimed it, and no change of any agent may be lost. On a copy of a real plan
 * where one lies beside the checkout.
 *
 * Run: `deno run -A bench/agents.ts`
 */

import assert from "node:assert/strict";
import { entity, git, makeProject, readTree, writeFiles } from "../tests/support/project.ts";
import { fullPlan, PLAN_BUNDLE } from "../tests/support/real_plan.ts";
import { type Session, withServer } from "../tests/support/server.ts";
import { circumstances, table, writeSection } from "./results.ts";

/** How many servers work at the same time, and how many items they share. */
const [SERVERS, ITEMS] = [[2, 8, 32], 96];

const MILESTONE = "bench";

/** What one run measured. */
interface Run {
  readonly servers: number;
  readonly ms: number;
  /** How long each call took, in milliseconds. */
  readonly claims: number[];
  readonly updates: number[];
  /** The agent that has done each item. */
  readonly done: Map<string, string>;
}

const rows: string[][] = [];
let entities = 0;
for (const servers of SERVERS) {
  const cwd = PLAN_BUNDLE === undefined ? makeProject() : fullPlan();
  writeFiles(cwd, items());
  entities = Object.keys(readTree(`${cwd}/plan`)).length;
  const { ms, claims, updates, done } = await work(cwd, servers);
  const lost = check(cwd, done);
  rows.push([
    String(servers),
    `${done.size} of ${ITEMS}`,
    String(lost),
    (ms / 1000).toFixed(1),
    (1000 * (claims.length + updates.length) / ms).toFixed(0),
    ...[claims, updates].flatMap((times) => [quantile(times, 0.5), quantile(times, 0.95)]),
  ]);
  Deno.removeSync(cwd, { recursive: true });
}
const head = [
  "servers",
  "done once",
  "lost changes",
  "seconds",
  "calls a second",
  "claim, ms",
  "95 %",
  "update, ms",
  "95 %",
];
const text = `${circumstances()}

Servers on one folder share ${ITEMS} ready items: each claims the next one, ticks its criteria one by
one, and finishes it, until nothing is left. The plan has ${entities} files. Medians of a call, and
what 95 % of them stay under. \`deno run -A bench/agents.ts\`

${table([head, ...rows])}`;
await writeSection("Several agents", text);
// deno-lint-ignore no-console -- it is what the program prints
console.log(text);

/** Ready items with three criteria each. */
function items(): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: ITEMS }, (_, at) => {
      const id = `WORK-${5000 + at}`;
      const attributes = { id, status: "ready", priority: "medium", milestone: MILESTONE };
      const body = "## Acceptance Criteria\n- [ ] One\n- [ ] Two\n- [ ] Three\n";
      return [`plan/work/${id}-bench.md`, entity("work", attributes, `Item ${at}`, body)];
    }),
  );
}

/** Lets servers work until nothing is left. */
async function work(cwd: string, servers: number): Promise<Run> {
  const run = { claims: [] as number[], updates: [] as number[], done: new Map<string, string>() };
  const ready = Promise.withResolvers<void>();
  let [waiting, began] = [servers, 0];
  const agent = async ({ ok }: Session, assignee: string) => {
    const timed = async (times: number[], tool: string, input: Record<string, unknown>) => {
      const from = performance.now();
      const answer = await ok(tool, input);
      times.push(performance.now() - from);
      return answer;
    };
    await ok("plan.next");
    if (--waiting === 0) {
      began = performance.now();
      ready.resolve();
    }
    await ready.promise;
    for (;;) {
      const input = { assignee, milestone: MILESTONE };
      const { items: [item] } = await timed(run.claims, "plan.claim", input);
      if (item === undefined) return;
      for (const check of ["One", "Two", "Three"]) {
        await timed(run.updates, "plan.update", { id: item.id, check });
      }
      const end = { id: item.id, status: "done", resolve: `By ${assignee}.`, if: { assignee } };
      await timed(run.updates, "plan.update", end);
      assert(!run.done.has(item.id), `${item.id} was done twice`);
      run.done.set(item.id, assignee);
    }
  };
  await Promise.all(
    Array.from(
      { length: servers },
      (_, at) => withServer(cwd, (session) => agent(session, `agent-${at}`)),
    ),
  );
  return { servers, ms: performance.now() - began, ...run };
}

/** Counts the items that are not as their agent left them, and refuses stray files. */
function check(cwd: string, done: ReadonlyMap<string, string>): number {
  const tree = readTree(cwd);
  const lost = Object.keys(items()).filter((path) => {
    const text = tree[path]!;
    const agent = done.get(/WORK-\d+/.exec(path)![0]);
    return agent === undefined || text.includes("- [ ]") || !text.includes('status="done"') ||
      !text.includes(`assignee="${agent}"`) || !text.includes(`By ${agent}.`);
  });
  if (PLAN_BUNDLE !== undefined) {
    const others = git(cwd, "status", "--porcelain", "--untracked-files=all").trim().split("\n")
      .filter((line) => !line.includes("-bench.md"));
    assert.deepEqual(others, []);
  }
  return lost.length;
}

function quantile(times: readonly number[], part: number): string {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!.toFixed(0);
}
