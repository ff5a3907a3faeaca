import assert from "node:assert/strict";
import { makeProject, planFile } from "../../../support/project.ts";
import { inProcess } from "../../../support/in_process.ts";
import { WIDE_PLAN } from "./plan.ts";
import { itemsOf } from "../../../support/rows.ts";

Deno.test("plan_status summarizes the plan or one milestone", async (test) => {
  const cwd = makeProject(WIDE_PLAN);
  await inProcess(cwd, async ({ ok }) => {
    await test.step("it returns counts, items in progress and the next items", async () => {
      const status = await ok("plan_status");
      assert.equal(status.counts.work.total, 5);
      assert.deepEqual(status.milestone, { name: "v1.0.0", status: "active", done: 0, total: 4 });
      assert.deepEqual(status.inProgress, [
        { id: "WORK-005", title: "Something that goes on", status: "in-progress" },
      ]);
      assert.deepEqual(status.done.map(({ id }: { id: string }) => id), ["WORK-003"]);
    });
    await test.step("warnings of one kind are grouped with a count and ids", async () => {
      const { warnings } = await ok("plan_status");
      assert.deepEqual(warnings, [{
        type: "no-milestone",
        count: 2,
        message: "{id} has no milestone assigned",
        ids: ["BUG-002", "WORK-004"],
      }]);
    });
    await test.step("with a milestone it covers only that milestone", async () => {
      const status = await ok("plan_status", { milestone: "v1.0.0" });
      assert.deepEqual(status.counts, {
        work: { total: 3, byStatus: { ready: 2, "in-progress": 1 } },
        bugs: { total: 1, byStatus: { confirmed: 1 } },
      });
      const before = await ok("plan_status", { milestone: "v0.9.0" });
      assert.deepEqual(before.done, [{ id: "WORK-003", title: "Theme", date: "2026-01-05" }]);
      assert.deepEqual(before.ready, []);
    });
  });
});

Deno.test("a message about several files says of each the same, whichever names are parts of others", async () => {
  const [first, second] = ["WORK-001", "WORK-002"].map((id) => Object.values(planFile(id))[0]!);
  const cwd = makeProject({
    "plan/work/WORK-001-first.md": first!,
    "plan/work/WORK-001.md": first!,
    "plan/work/WORK-002.md": second!,
    "plan/work/copy.md": second!,
  });
  await inProcess(cwd, async ({ ok }) => {
    const { warnings } = await ok("plan_status");
    const same = warnings.find(({ type }: { type: string }) => type === "duplicate-id");
    assert.equal(same.message, '{id} duplicate ID — also defined in "{target}"');
  });
});

Deno.test("the active milestone has something open; of several, it has most", async () => {
  const item = (id: string, status: string, name: string) =>
    planFile(id, { status, milestone: name });
  const cwd = makeProject({
    ...planFile("v1", { status: "active" }),
    ...planFile("v2", { status: "active" }),
    ...planFile("v3", { status: "active" }),
    ...item("WORK-001", "done", "v1"),
    ...item("WORK-002", "ready", "v2"),
    ...item("WORK-003", "ready", "v3"),
    ...item("WORK-004", "draft", "v3"),
    ...item("WORK-005", "done", "v3"),
  });
  await inProcess(cwd, async ({ ok, client }) => {
    const { milestone } = await ok("plan_status");
    assert.deepEqual(milestone, { name: "v3", status: "active", done: 1, total: 3 });
    assert.match(client.getInstructions()!, /^This project: plan\/: 8 files\./);
    await ok("plan_update", { ids: ["WORK-002", "WORK-003", "WORK-004"], status: "done" });
    assert.equal((await ok("plan_status")).milestone, undefined);
  });
});

Deno.test("each milestone has one progress: with bugs, dropped items, odd names, and without a file", async () => {
  const item = (id: string, status: string, milestone: string) =>
    planFile(id, { status, milestone });
  const cwd = makeProject({
    ...planFile("v1", { status: "active" }, "- [x] One\n- [ ] Two\n", "First"),
    ...planFile("v2", { status: "planning" }, "", "Second"),
    ...item("WORK-001", "done", "v1"),
    ...item("WORK-002", "cancelled", "v1"),
    ...item("WORK-003", "nonsense", "v1"),
    ...item("BUG-001", "fixed", "v1"),
    ...item("BUG-002", "wontfix", "v1"),
    ...item("BUG-003", "done", "v1"),
    ...item("SPEC-001", "accepted", "v1"),
    // Upstream reads a list as one name, and another case as another one.
    ...item("WORK-004", "done", "v1, v2"),
    ...item("WORK-005", "ready", "V1"),
    ...item("WORK-006", "done", "v9"),
    ...item("WORK-007", "ready", "v9"),
  });
  const ratios = { "v1": [3, 6], "v2": [0, 0], "v1, v2": [1, 1], "V1": [0, 1], "v9": [1, 2] };
  await inProcess(cwd, async ({ ok, call, read }) => {
    for (const [milestone, ratio] of Object.entries(ratios)) {
      const { milestone: counted, counts } = await ok("plan_status", { milestone });
      assert.deepEqual([counted.done, counted.total], ratio, milestone);
      assert.equal(counts.work.total + counts.bugs.total, ratio[1], milestone);
      const list = await ok("plan_list", { milestone, type: ["work", "bug"] });
      assert.equal(list.total, ratio[1], milestone);
      const isFile = milestone === "v1" || milestone === "v2";
      assert.equal(counted.status !== undefined, isFile, milestone);
    }
    const first = { name: "v1", status: "active", done: 3, total: 6 };
    for (const input of [{}, { detail: "full" }]) {
      assert.deepEqual((await ok("plan_status", input)).milestone, first);
    }
    assert.deepEqual(JSON.parse(await read("refrakt://plan/status")).milestone, first);
    assert.equal((await ok("plan_get", { id: "v1" })).progress, "3/6 items, 1/2 criteria");
    assert.equal((await ok("plan_get", { id: "v2" })).progress, undefined);
    const list = await ok("plan_list", { type: "milestone", fields: ["progress"] });
    assert.deepEqual(itemsOf(list).map(({ progress }) => progress), [
      "3/6 items, 1/2 criteria",
      undefined,
    ]);
    const board = await call("plan_board", { show: "cards" });
    // deno-lint-ignore no-explicit-any -- the data of a view
    const { cards } = board._meta!["refrakt/board"] as any;
    const card = (id: string) => cards.find((one: { id: string }) => one.id === id).criteria;
    assert.deepEqual([card("v1"), card("v2")], [[3, 6], undefined]);
    const { rows } = await ok("refrakt_query", {
      sql: "select id, items_done, items from entities where type = 'milestone' order by id",
    });
    assert.deepEqual(rows, [["v1", 3, 6], ["v2", 0, 0]]);
  });
});
