import assert from "node:assert/strict";
import { entity, makeProject } from "../../../support/project.ts";
import { withServer } from "../../../support/server.ts";
import { WIDE_PLAN } from "./plan.ts";

Deno.test("plan.get reads entities with what leads to and from them", async (test) => {
  const long = "A long line of prose that fills the page. ".repeat(400);
  const cwd = makeProject({
    ...WIDE_PLAN,
    "plan/specs/SPEC-002-long.md": entity(
      "spec",
      { id: "SPEC-002", status: "draft" },
      "Long",
      `## Big\n${long}\n\n## Small\nShort.\n`,
    ),
  });
  await withServer(cwd, async ({ ok, call }) => {
    await test.step("it tells attributes, numbered criteria and sections, once each", async () => {
      assert.deepEqual(await ok("plan.get", { id: "WORK-001" }), {
        id: "WORK-001",
        title: "Parse the tables",
        status: "ready",
        type: "work",
        attributes: {
          priority: "high",
          complexity: "simple",
          milestone: "v1.0.0",
          source: "SPEC-001,ADR-001",
          tags: "core, parser",
          assignee: "Ada",
        },
        criteria: [
          { n: 1, text: "It parses", checked: true },
          { n: 2, text: "It renders", checked: false },
          { n: 3, text: "It is fast", checked: false },
        ],
        sections: {
          description: "Tables arrive as lighthouse reports.",
          Approach: "A hand-written scanner.\n\n```md\n## Not a section\n```",
          References: '- {% ref "SPEC-001" /%}',
          Dependencies: "- Nothing yet",
        },
        dependents: [{ id: "WORK-002", title: "Render the tables", status: "ready" }],
        references: [{ id: "SPEC-001", title: "Tables", status: "draft" }],
        path: "plan/work/WORK-001-parser.md",
        uri: "refrakt://plan/work/WORK-001",
      });
    });
    await test.step("a spec names the work that implements it, and who else mentions it", async () => {
      const spec = await ok("plan.get", { id: "SPEC-001" });
      assert.deepEqual(spec.implementedBy.map(({ id }: { id: string }) => id), [
        "WORK-001",
        "WORK-002",
      ]);
      assert.deepEqual(spec.mentionedBy.map(({ id }: { id: string }) => id), ["WORK-004"]);
    });
    await test.step("a milestone goes by its name, and counts its items", async () => {
      const milestone = await ok("plan.get", { id: "v1.0.0" });
      assert.equal(milestone.title, "v1.0.0 — First release");
      assert.deepEqual(milestone.byStatus, [
        { key: "ready", count: 2 },
        { key: "in-progress", count: 1 },
        { key: "confirmed", count: 1 },
      ]);
      assert.equal(milestone.uri, "refrakt://plan/milestone/v1.0.0");
    });
    await test.step("fields choose, source is the Markdoc, and a heading is a field", async () => {
      const { source } = await ok("plan.get", { id: "SPEC-001", fields: ["source"] });
      assert.equal(source, WIDE_PLAN["plan/specs/SPEC-001-tables.md"]);
      const approach = await ok("plan.get", { id: "WORK-001", fields: ["approach"] });
      assert.deepEqual(Object.keys(approach.sections), ["Approach"]);
      const criteria = await ok("plan.get", { id: "WORK-001", fields: ["criteria"] });
      assert.deepEqual(Object.keys(criteria), ["id", "title", "status", "criteria", "path", "uri"]);
    });
    await test.step("a long text shows the beginnings, and the rest under its heading", async () => {
      const { sections, shortened } = await ok("plan.get", { id: "SPEC-002" });
      assert.ok(sections.Big.length < 1000);
      assert.match(sections.Big, /\[\d+ characters\]$/);
      assert.match(shortened, /fields/);
      assert.equal(sections.Small, "Short.");
      const big = await ok("plan.get", { id: "SPEC-002", fields: ["Big"] });
      assert.equal(big.sections.Big, long.trim());
    });
    await test.step("several ids come in one answer, and the wrong ones with the nearest", async () => {
      const { items, notFound } = await ok("plan.get", {
        ids: ["WORK-002", "WORK-0001", "BUG-001"],
        fields: ["dependencies"],
      });
      assert.deepEqual(items.map(({ id }: { id: string }) => id), ["WORK-002", "BUG-001"]);
      assert.deepEqual(items[0].dependencies, [
        { id: "WORK-001", title: "Parse the tables", status: "ready" },
      ]);
      assert.equal(notFound[0].id, "WORK-0001");
      assert.ok(notFound[0].nearest.includes("WORK-001"));
    });
    await test.step("a wrong id or field is an error that names the nearest", async () => {
      const unknown = await call("plan.get", { id: "WORK-0001" });
      assert.equal(unknown.errorCode, "NOT_FOUND");
      assert.match(unknown.hint!, /"WORK-001"/);
      const field = await call("plan.get", { id: "WORK-001", fields: ["critera"] });
      assert.equal(field.errorCode, "INVALID_ARGS");
      assert.match(field.hint!, /"criteria".*Approach/);
      assert.equal((await call("plan.get", {})).errorCode, "INVALID_ARGS");
      assert.equal((await call("plan.get", { id: "a", ids: ["b"] })).errorCode, "INVALID_ARGS");
    });
  });
});
