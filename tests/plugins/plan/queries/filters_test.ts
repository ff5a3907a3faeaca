import assert from "node:assert/strict";
import { filterItems, type Filters } from "../../../../plugins/plan/queries/filters.ts";
import { viewOf } from "../../../support/plan.ts";
import { WIDE_PLAN } from "../tools/plan.ts";

Deno.test("filters hold together, several values of one are alternatives, none finds what has no value", async () => {
  const plan = await viewOf(WIDE_PLAN);
  const ids = (filters: Filters) => filterItems(plan, filters).map(({ id }) => id).join(" ");
  assert.equal(ids({ type: "bug", open: true }), "BUG-001");
  assert.equal(ids({ type: "work", status: ["done", "in-progress"] }), "WORK-003 WORK-005");
  assert.equal(ids({ type: "work", status: "done, in-progress" }), "WORK-003 WORK-005");
  assert.equal(ids({ type: "work", status: "DONE" }), "WORK-003");
  assert.equal(ids({ type: "work", milestone: "none" }), "WORK-004");
  assert.equal(ids({ tag: "parser" }), "WORK-001");
  assert.equal(ids({ source: "ADR-001" }), "WORK-001");
  assert.equal(ids({ mentions: "WORK-001" }), "WORK-002");
  assert.equal(ids({ blocked: true }), "WORK-002");
  assert.equal(ids({ type: "bug", milestone: "v0.9.0" }), "");
});

Deno.test("a value that nothing has and nothing may have is refused, an empty list finds nothing", async () => {
  const plan = await viewOf(WIDE_PLAN);
  for (
    const [filters, code] of [
      [{ type: "task" }, "INVALID_ARGS"],
      [{ status: "finished" }, "VALIDATION_ERROR"],
      [{ milestone: "v9" }, "NOT_FOUND"],
      [{ mentions: "WORK-999" }, "NOT_FOUND"],
      // A status that specs have, and bugs do not.
      [{ type: "bug", status: "shipped" }, "VALIDATION_ERROR"],
    ] as const
  ) assert.throws(() => filterItems(plan, filters), { code }, JSON.stringify(filters));
  assert.deepEqual(filterItems(plan, { status: [] }), []);
});
