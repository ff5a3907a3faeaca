import assert from "node:assert/strict";
import { makeProject, planFile, writeFiles } from "../../../support/project.ts";
import { inProcess } from "../../../support/in_process.ts";
import { WIDE_PLAN } from "./plan.ts";
import { itemsOf } from "../../../support/rows.ts";

Deno.test("plan_get returns entities with their references in both directions", async (test) => {
  const long = "A long line of prose that fills the page. ".repeat(400);
  const cwd = makeProject({
    ...WIDE_PLAN,
    ...planFile("SPEC-002", { status: "draft" }, `## Big\n${long}\n\n## Small\nShort.\n`, "Long"),
  });
  await inProcess(cwd, async ({ ok, call }) => {
    await test.step("it returns attributes, numbered criteria and sections", async () => {
      assert.deepEqual(await ok("plan_get", { id: "WORK-001" }), {
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
          { n: 2, text: "It renders" },
          { n: 3, text: "It is fast" },
        ],
        sections: {
          description: "Tables arrive as lighthouse reports.",
          Approach: "A hand-written scanner.\n\n```md\n## Not a section\n```",
          References: '- {% ref "SPEC-001" /%}',
          Dependencies: "- Nothing yet",
        },
        references: [{ id: "SPEC-001", title: "Tables", status: "draft" }],
        referencedBy: [
          { id: "WORK-002", title: "Render the tables", status: "ready", kind: "depends" },
        ],
        path: "plan/work/WORK-001-parser.md",
        uri: "refrakt://plan/work/WORK-001",
      });
    });
    await test.step("what points here is one list with kinds, the same in lists", async () => {
      const { referencedBy, progress } = await ok("plan_get", { id: "SPEC-001" });
      const rows = referencedBy.map(({ id, kind }: { id: string; kind: string }) => ({ id, kind }));
      assert.deepEqual(rows, [
        { id: "ADR-001", kind: "source" },
        { id: "WORK-001", kind: "source" },
        { id: "WORK-002", kind: "source" },
        { id: "WORK-004", kind: "mentions" },
      ]);
      const items = itemsOf(
        await ok("plan_list", {
          type: "spec",
          fields: ["referencedBy", "progress"],
        }),
      );
      const listed = items.find(({ id }: { id: string }) => id === "SPEC-001");
      assert.deepEqual(listed.referencedBy, rows);
      assert.deepEqual([progress, listed.progress], ["0/2 items", "0/2 items"]);
    });
    await test.step("fields select parts, markdoc is the text, and a heading is a field", async () => {
      const { markdoc } = await ok("plan_get", { id: "SPEC-001", fields: ["markdoc"] });
      assert.equal(markdoc, WIDE_PLAN["plan/specs/SPEC-001-tables.md"]);
      const approach = await ok("plan_get", { id: "WORK-001", fields: ["approach"] });
      assert.deepEqual(Object.keys(approach.sections), ["Approach"]);
      const criteria = await ok("plan_get", { id: "WORK-001", fields: ["criteria"] });
      assert.deepEqual(Object.keys(criteria), ["id", "title", "status", "criteria", "path", "uri"]);
    });
    await test.step("a long text is shortened, and the full section can be requested", async () => {
      const { sections, shortened } = await ok("plan_get", { id: "SPEC-002" });
      assert.ok(sections.Big.length < 1000);
      assert.match(sections.Big, /\[\d+ characters\]$/);
      assert.match(shortened, /fields/);
      assert.equal(sections.Small, "Short.");
      const big = await ok("plan_get", { id: "SPEC-002", fields: ["Big"] });
      assert.equal(big.sections.Big, long.trim());
    });
    await test.step("several ids return one answer, with suggestions for unknown ids", async () => {
      const { items, notFound } = await ok("plan_get", {
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
    await test.step("an unknown id or field is an error with suggestions", async () => {
      const unknown = await call("plan_get", { id: "WORK-0001" });
      assert.equal(unknown.errorCode, "NOT_FOUND");
      assert.match(unknown.hint!, /"WORK-001"/);
      const field = await call("plan_get", { id: "WORK-001", fields: ["critera"] });
      assert.equal(field.errorCode, "INVALID_ARGS");
      assert.match(field.hint!, /"criteria".*Approach/);
      assert.equal((await call("plan_get", {})).errorCode, "INVALID_ARGS");
      assert.equal((await call("plan_get", { id: "a", ids: ["b"] })).errorCode, "INVALID_ARGS");
    });
  });
});

Deno.test("plan_get { fields } reads the part below a heading of level 3, and names it in errors", async () => {
  const parts =
    "\n### Parser\n\nReads.\n\n#### Deeper\n\n```md\n### Not one\n```\n\n### Printer\nWrites.\n";
  const cwd = makeProject(planFile("WORK-001", {}, `${parts}\n## Last\n\nEnd.\n`));
  await inProcess(cwd, async ({ ok, call }) => {
    const sections = async (...fields: string[]) =>
      (await ok("plan_get", { id: "WORK-001", fields })).sections;
    assert.deepEqual(await sections("parser"), {
      Parser: "Reads.\n\n#### Deeper\n\n```md\n### Not one\n```",
    });
    assert.deepEqual(await sections("Printer", "Last"), { Last: "End.", Printer: "Writes." });
    writeFiles(cwd, planFile("WORK-002", {}, "\n## A\n\n### Part\n1\n\n## B\n\n### Part\n2\n"));
    const { sections: twice } = await ok("plan_get", { id: "WORK-002", fields: ["part"] });
    assert.deepEqual(twice, { Part: "1", "Part (2)": "2" });
    const { errorCode, content } = await call("plan_get", { id: "WORK-001", fields: ["Not one"] });
    assert.equal(errorCode, "INVALID_ARGS", content[0].text);
    assert.match(content[0].text, /Printer/);
  });
});

Deno.test("ids are found in plain text, as a whole", async () => {
  const cwd = makeProject({
    ...planFile("WORK-1"),
    ...planFile("WORK-10", {}, "See WORK-1, [x](WORK-2.md).\n"),
    ...planFile("WORK-2", {}, "Like WORK-10.\n"),
  });
  await inProcess(cwd, async ({ ok }) => {
    const { rows } = await ok("refrakt_query", { sql: "select id, to_id from refs order by 1, 2" });
    assert.deepEqual(rows, [["WORK-10", "WORK-1"], ["WORK-10", "WORK-2"], ["WORK-2", "WORK-10"]]);
    const items = itemsOf(await ok("plan_list", { text: "WORK-1" }));
    assert.deepEqual(items.map(({ id }: { id: string }) => id), ["WORK-1", "WORK-10"]);
  });
});

Deno.test("an entity with a thousand criteria is read in parts, and ticked", async () => {
  const boxes = Array.from({ length: 1200 }, (_, at) => `- [ ] Criterion ${at + 1}\n`).join("");
  const cwd = makeProject(planFile("WORK-001", { status: "ready" }, boxes));
  await inProcess(cwd, async ({ ok }) => {
    const { criteria, more } = await ok("plan_get", { id: "WORK-001" });
    assert.ok(criteria.length >= 100 && criteria.length < 1200);
    assert.ok(more.cursor);
    const { openCriteria } = await ok("plan_update", { id: "WORK-001", check: 1100 });
    assert.equal(openCriteria, 1199);
    const text = Deno.readTextFileSync(`${cwd}/plan/work/WORK-001.md`);
    assert.ok(text.includes("- [ ] Criterion 1099\n- [x] Criterion 1100\n- [ ] Criterion 1101\n"));
  });
});
