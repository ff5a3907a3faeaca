import assert from "node:assert/strict";
import { groupItems } from "../../../../plugins/plan/queries/groups.ts";
import { viewOf } from "../../../support/plan.ts";
import { entity } from "../../../support/project.ts";
import { WIDE_PLAN } from "../tools/plan.ts";

Deno.test("groups count all and open ones, in the order of the plugin, none at the end", async () => {
  const plan = await viewOf(WIDE_PLAN);
  const work = plan.items.filter(({ type }) => type === "work");
  assert.deepEqual(groupItems(plan, work, "priority"), [
    { key: "critical", count: 1, open: 1 },
    { key: "high", count: 1, open: 1 },
    { key: "medium", count: 1, open: 1 },
    { key: "low", count: 2, open: 1 },
  ]);
  assert.deepEqual(groupItems(plan, work, "milestone").map(({ key }) => key), [
    "v0.9.0",
    "v1.0.0",
    "none",
  ]);
});

Deno.test("an item with several tags counts in each, one that has a tag twice counts once", async () => {
  const plan = await viewOf({
    "plan/work/WORK-001-a.md": entity("work", { id: "WORK-001", tags: "a, b, a" }, "A", ""),
    "plan/work/WORK-002-b.md": entity("work", { id: "WORK-002", tags: "b" }, "B", ""),
  });
  for (const by of ["tag", "tags"]) {
    assert.deepEqual(groupItems(plan, plan.items, by).map(({ key, count }) => `${key} ${count}`), [
      "b 2",
      "a 1",
    ]);
  }
});

Deno.test("what is different for every item is no group", async () => {
  const plan = await viewOf(WIDE_PLAN);
  for (const by of ["id", "title", "uri", "constructor", ""]) {
    assert.throws(() => groupItems(plan, plan.items, by), { code: "INVALID_ARGS" }, by);
  }
});
