/**
 * Several agents on one plan: 2, 8 and 32 servers that claim, work on and finish items of one copy
 * of the real plan at the same time. Fails if an item is done twice, or a change of one is lost.
 *
 * Run: `deno run -A bench/agents.ts`
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { fullPlan, PLAN_BUNDLE } from "../tests/support/real_plan.ts";
import { type Session, withServer } from "../tests/support/server.ts";
import { circumstances, table, writeSection } from "./results.ts";

const ITEMS = 40;
const MILESTONE = "v99.0.0";

const rows = [["servers", "items", "seconds", "ms per item", "conflicts"]];
if (PLAN_BUNDLE !== undefined) {
  for (const servers of [2, 8, 32]) rows.push(await measure(servers));
  await writeSection(
    "Several agents",
    `Several server processes on one copy of the real plan call plan.claim and plan.update (all
criteria, status, resolution) until no item is left. The time starts when each has answered a first
call. Every item is done exactly once, by the server that claimed it, with all criteria ticked.
Conflicts are calls that returned \`CONFLICT\`. ${circumstances()}\n\n${table(rows)}`,
  );
}

async function measure(servers: number): Promise<string[]> {
  const cwd = fullPlan();
  const items = await makeReady(cwd);
  const done = new Map<string, string>();
  let conflicts = 0;
  let start = 0;
  let waiting = servers;
  const ready = Promise.withResolvers<void>();
  const work = async ({ call, ok }: Session, assignee: string) => {
    await ok("plan.next", { milestone: MILESTONE });
    if (--waiting === 0) {
      start = performance.now();
      ready.resolve();
    }
    await ready.promise;
    for (;;) {
      const claimed = await call("plan.claim", { assignee, milestone: MILESTONE });
      if (claimed.errorCode === "CONFLICT") {
        conflicts++;
        continue;
      }
      assert.ok(!claimed.isError, claimed.content[0].text);
      const [item] = claimed.structuredContent.items;
      if (item === undefined) return;
      assert.ok(!done.has(item.id), `${item.id} was claimed twice`);
      done.set(item.id, assignee);
      const update = { id: item.id, check: "all", status: "done", resolve: `By ${assignee}.` };
      for (;;) {
        const updated = await call("plan.update", update);
        if (updated.errorCode !== "CONFLICT") {
          assert.ok(!updated.isError, updated.content[0].text);
          break;
        }
        conflicts++;
      }
    }
  };
  let seconds = 0;
  await Promise.all(
    Array.from({ length: servers }, (_, index) =>
      withServer(cwd, async (session) => {
        await work(session, `agent-${index}`);
        seconds = Math.max(seconds, (performance.now() - start) / 1000);
      })),
  );
  assert.deepEqual([...done.keys()].sort(), [...items.keys()].sort());
  for (const [id, assignee] of done) {
    const text = Deno.readTextFileSync(join(cwd, "plan", items.get(id)!));
    for (const wanted of ['status="done"', `assignee="${assignee}"`, `By ${assignee}.`]) {
      assert.ok(text.includes(wanted), `${id} lacks ${wanted}`);
    }
    assert.ok(!/^\s*- \[ \]/m.test(text), `${id} lacks a tick`);
  }
  return [
    String(servers),
    String(done.size),
    seconds.toFixed(2),
    (seconds * 1000 / done.size).toFixed(0),
    String(conflicts),
  ];
}

/** Makes items of the plan ready, with open criteria; returns their files by id. */
async function makeReady(cwd: string): Promise<Map<string, string>> {
  const ready = new Map<string, string>();
  await withServer(cwd, async ({ call, ok }) => {
    const milestone = { type: "milestone", id: MILESTONE, title: "Bench" };
    await ok("plan.create", milestone);
    const { items } = await ok("plan.list", { type: "work", status: "done", limit: 200 });
    for (const { id } of items) {
      const attributes = { status: "ready", milestone: MILESTONE, assignee: "" };
      // Not every item has criteria.
      const { isError } = await call("plan.update", { id, ...attributes, uncheck: "all" });
      const offered = isError ? [] : (await ok("plan.next", { milestone: MILESTONE, count: 100 }))
        .items as { id: string; file: string }[];
      const item = offered.find((one) => one.id === id);
      if (item !== undefined) ready.set(id, item.file);
      else if (!isError) await ok("plan.update", { id, status: "done", milestone: "" });
      if (ready.size === ITEMS) break;
    }
  });
  return ready;
}
