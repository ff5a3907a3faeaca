import assert from "node:assert/strict";
import { makeProject } from "../../../support/project.ts";
import { withServer } from "../../../support/server.ts";
import { WIDE_PLAN } from "./plan.ts";

Deno.test("plan.next offers what the plugin says, and explains the rest", async (test) => {
  const cwd = makeProject(WIDE_PLAN);
  await withServer(cwd, async ({ ok, call }) => {
    await test.step("an item has its path and uri, and the titles of its references", async () => {
      const { items: [item] } = await ok("plan.next");
      assert.equal(item.id, "WORK-001");
      assert.equal(item.file, "work/WORK-001-parser.md");
      assert.equal(item.path, "plan/work/WORK-001-parser.md");
      assert.equal(item.uri, "refrakt://plan/work/WORK-001");
      assert.deepEqual(item.refs, ["SPEC-001"]);
      assert.deepEqual(item.references, [{ id: "SPEC-001", title: "Tables", status: "draft" }]);
      assert.deepEqual(item.criteria[0], { text: "It parses", checked: true });
      assert.deepEqual(Object.keys(item.attributes).sort(), [
        "assignee",
        "milestone",
        "source",
        "tags",
      ]);
    });
    await test.step("what is ready but withheld is counted, and explained on request", async () => {
      const short = await ok("plan.next");
      assert.equal(short.withheld, 2);
      assert.equal(short.withheldItems, undefined);
      const { withheldItems } = await ok("plan.next", { explain: true });
      assert.deepEqual(withheldItems, [
        {
          id: "WORK-002",
          title: "Render the tables",
          status: "ready",
          blockedBy: ["WORK-001"],
          reason: "It depends on what is not done: WORK-001 is ready",
        },
        {
          id: "WORK-004",
          title: "An idea of the spec",
          status: "ready",
          withheldBy: ["SPEC-001"],
          reason:
            "SPEC-001 is draft, and the item has no Dependencies section, so every reference counts",
        },
      ]);
      assert.equal((await ok("plan.next", { milestone: "v1.0.0", explain: true })).withheld, 1);
    });
    await test.step("an unknown milestone, assignee or tag is an error, not an empty answer", async () => {
      for (
        const [input, hint] of [
          [{ milestone: "v1.0" }, /"v1\.0\.0"/],
          [{ assignee: "Adda" }, /"Ada"/],
          [{ tag: "parsr" }, /"parser"/],
        ] as const
      ) {
        const answer = await call("plan.next", input);
        assert.equal(answer.errorCode, "NOT_FOUND");
        assert.match(answer.hint!, hint);
      }
      assert.deepEqual((await ok("plan.next", { assignee: "Ada", type: "bug" })).items, []);
    });
    await test.step("with detail full it answers as the CLI does", async () => {
      const { items, withheld } = await ok("plan.next", { detail: "full", count: 2 });
      assert.equal(withheld, undefined);
      assert.equal(items.length, 2);
      assert.equal(items[0].attributes.status, "ready");
      assert.equal(items[0].path, undefined);
    });
  });
});
