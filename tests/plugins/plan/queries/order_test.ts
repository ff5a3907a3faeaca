import assert from "node:assert/strict";
import { byId, sortItems } from "../../../../plugins/plan/queries/order.ts";
import { viewOf } from "../../../support/plan.ts";
import { entity } from "../../../support/project.ts";
import { WIDE_PLAN } from "../tools/plan.ts";

Deno.test("priorities are sorted by rank, either way, and what has none comes last", async () => {
  const plan = await viewOf(WIDE_PLAN);
  const sorted = (sort: string) =>
    sortItems(plan, plan.items.filter(({ type }) => ["work", "bug"].includes(type)), sort)
      .map(({ id }) => id);
  assert.deepEqual(sorted("priority"), [
    "WORK-002",
    "WORK-001",
    "WORK-005",
    "WORK-003",
    "WORK-004",
    "BUG-001",
    "BUG-002",
  ]);
  assert.deepEqual(sorted("-priority").slice(-3), ["WORK-002", "BUG-001", "BUG-002"]);
  assert.deepEqual(sorted("-id")[0], "WORK-005");
});

Deno.test("numbers in ids count as numbers", async () => {
  const work = (id: string) => entity("work", { id, status: "ready" }, id, "");
  const plan = await viewOf({
    "plan/work/a.md": work("WORK-10"),
    "plan/work/b.md": work("WORK-9"),
    "plan/work/c.md": work("WORK-1000"),
  });
  assert.deepEqual(plan.items.toSorted(byId(plan)).map(({ id }) => id), [
    "WORK-9",
    "WORK-10",
    "WORK-1000",
  ]);
});

Deno.test("an unknown key is refused, an empty sort is by id", async () => {
  const plan = await viewOf(WIDE_PLAN);
  assert.throws(() => sortItems(plan, plan.items, "priority,--size"), { code: "INVALID_ARGS" });
  assert.deepEqual(sortItems(plan, plan.items, " , "), plan.items.toSorted(byId(plan)));
});
