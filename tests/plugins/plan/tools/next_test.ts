import assert from "node:assert/strict";
import { entity, makeProject, planFile } from "../../../support/project.ts";
import { inProcess } from "../../../support/in_process.ts";
import { WIDE_PLAN } from "./plan.ts";

Deno.test("plan_next offers what the plugin says, and explains the rest", async (test) => {
  const cwd = makeProject(WIDE_PLAN);
  await inProcess(cwd, async ({ ok }) => {
    await test.step("an item has its path and uri, and the titles of its references", async () => {
      const { items: [item] } = await ok("plan_next");
      assert.equal(item.id, "WORK-001");
      assert.equal(item.path, "plan/work/WORK-001-parser.md");
      assert.equal(item.uri, "refrakt://plan/work/WORK-001");
      assert.deepEqual(item.references, [{ id: "SPEC-001", title: "Tables", status: "draft" }]);
      assert.deepEqual(item.criteria[0], { text: "It parses", checked: true });
      assert.deepEqual(
        Object.keys(item.attributes).sort(),
        ["assignee", "milestone", "source", "tags"],
      );
    });
    await test.step("what is ready but withheld is counted, and explained on request", async () => {
      const short = await ok("plan_next");
      assert.equal(short.withheld, 2);
      assert.equal(short.withheldItems, undefined);
      const { withheldItems } = await ok("plan_next", { explain: true });
      assert.deepEqual(withheldItems, [
        {
          id: "WORK-002",
          title: "Render the tables",
          reason: "Unfinished dependencies: WORK-001 (ready)",
        },
        { id: "WORK-004", title: "An idea of the spec", reason: "References: SPEC-001 (draft)" },
      ]);
      assert.equal((await ok("plan_next", { milestone: "v1.0.0", explain: true })).withheld, 1);
    });
  });
});

Deno.test("plan_next { ahead } returns what becomes available after what", async (test) => {
  const item = (id: string, status: string, after: string[], more = {}) => {
    const needs = after.map((other) => `- {% ref "${other}" /%}\n`).join("");
    return planFile(id, { status, milestone: "v1.0.0", ...more }, `## Dependencies\n${needs}`);
  };
  const cwd = makeProject({
    ...planFile("v1.0.0", { status: "active" }),
    ...planFile("v2.0.0", { status: "planning" }),
    ...item("WORK-001", "ready", []),
    ...item("WORK-002", "ready", ["WORK-001"], { complexity: "trivial" }),
    ...item("WORK-003", "draft", ["WORK-002", "WORK-001", "WORK-009"]),
    ...item("WORK-004", "ready", ["WORK-001"], { priority: "high" }),
    ...item("WORK-005", "ready", ["WORK-006"]),
    ...item("WORK-006", "ready", ["WORK-005", "WORK-001"]),
    ...item("WORK-008", "ready", ["WORK-003"], { milestone: "v2.0.0" }),
    ...item("WORK-009", "cancelled", ["WORK-001"]),
  });
  await inProcess(cwd, async ({ ok }) => {
    await test.step("items are ordered by step and importance, with reasons", async () => {
      const { items, ahead, longestChain, cycles } = await ok("plan_next", {
        ahead: 2,
        milestone: "v1.0.0",
      });
      assert.equal(items[0].id, "WORK-001");
      const rows = ahead.map((row: Record<string, unknown>) => [row.id, row.step, row.after]);
      assert.deepEqual(rows, [
        ["WORK-004", 1, ["WORK-001"]],
        ["WORK-002", 1, ["WORK-001"]],
        ["WORK-003", 2, ["WORK-002", "WORK-001"]],
      ]);
      assert.deepEqual([ahead[2].status, ahead[2].reason], ["draft", undefined]);
      assert.deepEqual(longestChain, [
        { id: "WORK-001", title: "Item WORK-001", status: "ready" },
        { id: "WORK-002", title: "Item WORK-002", status: "ready" },
        { id: "WORK-003", title: "Item WORK-003", status: "draft" },
      ]);
      assert.deepEqual(cycles, [["WORK-005", "WORK-006"]]);
    });
    await test.step("the number of steps is limited, and blockers outside the scope count", async () => {
      const { ahead } = await ok("plan_next", { ahead: 1 });
      assert.deepEqual(ahead.map(({ id }: { id: string }) => id), ["WORK-004", "WORK-002"]);
      const { longestChain } = await ok("plan_next", { ahead: 9, milestone: "v2.0.0" });
      assert.deepEqual(
        longestChain.map(({ id }: { id: string }) => id),
        ["WORK-001", "WORK-002", "WORK-003", "WORK-008"],
      );
    });
  });
});

Deno.test("a blocker that was dropped blocks nothing; an open one does", async () => {
  const blockers = {
    ...{ cancelled: "work", superseded: "work", wontfix: "bug", duplicate: "bug" },
    ...{ draft: "work", reported: "bug" },
  };
  const files = Object.entries(blockers).map(([status, type], at) => ({
    [`plan/bugs/X-${at}.md`]: entity(type, { id: `X-${at}`, status }, "Blocks", ""),
    ...planFile(`WORK-00${at}`, { status: "ready" }, `## Dependencies\n\n- {% ref "X-${at}" /%}\n`),
  }));
  await inProcess(makeProject(Object.assign({}, ...files)), async ({ ok }) => {
    const { items, withheld } = await ok("plan_next", { count: 9 });
    const ids = items.map(({ id }: { id: string }) => id);
    assert.deepEqual(ids, ["WORK-000", "WORK-001", "WORK-002", "WORK-003"]);
    assert.equal(withheld, 2);
  });
});
