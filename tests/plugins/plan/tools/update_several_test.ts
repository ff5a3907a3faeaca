/** `plan_update { ids }`: the same change in several entities, all or nothing. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { makeProject, planFile, readTree } from "../../../support/project.ts";
import { inProcess } from "../../../support/in_process.ts";
import { WIDE_PLAN } from "./plan.ts";

Deno.test("plan_update changes several entities alike, or none", async (t) => {
  const cwd = makeProject(WIDE_PLAN);
  await inProcess(cwd, async ({ ok, call }) => {
    const ids = ["WORK-001", "work-002", "BUG-001"];
    await t.step("a preview shows a line an entity and writes nothing", async () => {
      const before = readTree(cwd);
      const answer = await ok("plan_update", { ids, milestone: "v0.9.0", preview: true });
      assert.deepEqual(answer.lines, [
        "WORK-001: milestone v1.0.0 → v0.9.0",
        "WORK-002: milestone v1.0.0 → v0.9.0",
        "BUG-001: milestone v1.0.0 → v0.9.0",
      ]);
      assert.deepEqual([answer.changed, answer.preview], [3, true]);
      const same = await ok("plan_update", { ids, milestone: "v1.0.0", preview: true });
      assert.deepEqual([same.changed, same.lines[0]], [0, "WORK-001: unchanged"]);
      const one = await ok("plan_update", { id: "WORK-001", status: "done", preview: true });
      assert.deepEqual(one.lines, ["WORK-001: ready → done"]);
      assert.deepEqual(readTree(cwd), before);
    });
    await t.step("one that fails leaves all as they were, and is named", async () => {
      const before = readTree(cwd);
      const cases = [
        [{ ids: [...ids, "WORK-099"], milestone: "v0.9.0" }, /WORK-099/],
        [{ ids: ["WORK-001", "WORK-004"], milestone: "v0.9.0", check: ["all"] }, /WORK-004/],
        [{ ids, milestone: "v0.9.0", if: { status: "ready" } }, /BUG-001/],
        [{ ids, title: "One" }, /"title" is for one/],
      ] as const;
      for (const [input, message] of cases) {
        const answer = await call("plan_update", input);
        assert.ok(answer.isError, JSON.stringify(input));
        assert.match(answer.content[0].text, message);
      }
      assert.deepEqual(readTree(cwd), before);
    });
  });
});

Deno.test("plan_update changes what filters of plan_list choose, or differently what changes name", async (t) => {
  const cwd = makeProject(WIDE_PLAN);
  await inProcess(cwd, async ({ ok, call }) => {
    const before = readTree(cwd);
    await t.step("where answers with the ids", async () => {
      const where = { milestone: "v1.0.0", type: ["work", "bug"] };
      const { rows, columns } = await ok("plan_list", { ...where, limit: 1000 });
      const ids = rows.map((row: string[]) => row[columns.indexOf("id")]);
      const answer = await ok("plan_update", { where, milestone: "v0.9.0" });
      assert.deepEqual(
        answer.lines.map((line: string) => line.split(":")[0]).sort(),
        ids.toSorted(),
      );
      assert.equal(answer.changed, ids.length);
      assert.equal(
        (await ok("plan_list", { milestone: "v1.0.0", type: ["work", "bug"] })).total,
        0,
      );
      await ok("plan_undo", { token: answer.undo });
      assert.deepEqual(readTree(cwd), before);
    });
    await t.step("changes are all written, or none, with one undo", async () => {
      const changes = [
        { id: "WORK-001", status: "in-progress", check: ["It is fast"], note: "Begun", by: "ada" },
        { id: "work-002", sections: { Approach: "One way." }, title: "Another title" },
        { id: "BUG-001", attrs: { tags: "a,b" } },
        { id: "WORK-003", blocks: ["WORK-004"] },
        { id: "WORK-001", priority: "low" },
      ];
      const preview = await ok("plan_update", { changes, preview: true });
      assert.deepEqual(readTree(cwd), before);
      const { undo, ...answer } = await ok("plan_update", { changes });
      assert.deepEqual({ ...answer, preview: true }, preview);
      assert.deepEqual(
        answer.lines.map((line: string) => line.split(":")[0]),
        ["WORK-001", "WORK-002", "BUG-001", "WORK-003", "WORK-004"],
      );
      assert.match(answer.lines[0], /priority \S+ → low/);
      const item = await ok("plan_get", { id: "WORK-001" });
      assert.deepEqual([item.status, item.attributes.priority], ["in-progress", "low"]);
      assert.match(item.newestNote, /ada: Begun$/);
      await ok("plan_undo", { token: undo });
      assert.deepEqual(readTree(cwd), before);
    });
    await t.step("one that fails leaves all as they were, and is named", async () => {
      const one = { id: "WORK-001", status: "done" };
      const cases = [
        [{ changes: [one, { id: "WORK-002", check: "Nothing like it" }] }, /WORK-002/],
        [{ changes: [one, { id: "WORK-002", statsu: "done" }] }, /changes\[?\.?1\]?.*statsu/],
        [{ changes: [one, { id: "WORK-098" }, { id: "WORK-099" }] }, /WORK-098.*WORK-099/],
        [{ changes: [one], status: "ready" }, /"changes" and "status" exclude each other/],
        [{ changes: [one], id: "WORK-001" }, /Give one of/],
        [{ changes: Array(101).fill(one) }, /changes/],
        [{ where: {}, status: "done" }, /no filter/],
        [{ where: { milestone: "none", type: "spec", status: "done" }, status: "done" }, /./],
        [{ where: { bogus: "x" }, status: "done" }, /bogus/],
        [{ where: { type: "work" }, title: "One" }, /"title" is for one/],
      ] as const;
      for (const [input, message] of cases) {
        const answer = await call("plan_update", input);
        assert.ok(answer.isError, JSON.stringify(input));
        assert.match(answer.content[0].text, message);
      }
      assert.deepEqual(readTree(cwd), before);
    });
  });
});

Deno.test("plan_update replaces passages of a section that occur once", async () => {
  const cwd = makeProject(
    planFile(
      "WORK-001",
      { status: "ready" },
      "## Approach\n\nOne **two** two.\n\nThree.\n\n## Notes\n\n- Two\n",
    ),
  );
  const read = () => Deno.readTextFileSync(join(cwd, "plan/work/WORK-001.md"));
  const before = read();
  await inProcess(cwd, async ({ ok, call }) => {
    const edits = [
      { section: "approach", old: "**two** two", new: "2\n\n### Below\n\nMore" },
      { section: "Approach", old: "Three.", new: "" },
    ];
    await ok("plan_update", { id: "WORK-001", edits });
    assert.equal(
      read(),
      before.replace("**two** two", "2\n\n### Below\n\nMore").replace("\n\nThree.\n", "\n"),
    );
    const written = read();
    for (
      const [edit, message] of [
        [{ section: "Notes", old: "o", new: "x" }, /^/],
        [{ section: "Approach", old: "e", new: "x" }, /occurs \d+ times in the section "Approach"/],
        [{ section: "Approach", old: "absent", new: "x" }, /"absent" is not in/],
        [
          { section: "None", old: "One", new: "x" },
          /is not in the section "None"\s+The sections are/,
        ],
        [{ section: "Approach", old: "One", new: "## Another\n" }, /level-1 or level-2/],
        [{ section: "Approach", old: "One", new: "{% /work %}" }, /./],
      ] as const
    ) {
      const { isError, content, structuredContent } = await call("plan_update", {
        id: "WORK-001",
        edits: [edit],
        preview: true,
      });
      if (isError) assert.match(content[0].text, message);
      else assert.equal(structuredContent.changed, 1, edit.new);
    }
    assert.equal(read(), written);
  });
});
