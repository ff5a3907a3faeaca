/** `plan.update { ids }`: the same change in several entities, all or nothing. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { entity, makeProject, readTree } from "../../../support/project.ts";
import { inProcess } from "../../../support/in_process.ts";
import { WIDE_PLAN } from "./plan.ts";

Deno.test("plan.update changes several entities alike, or none", async (t) => {
  const cwd = makeProject(WIDE_PLAN);
  await inProcess(cwd, async ({ ok, call }) => {
    const ids = ["WORK-001", "work-002", "BUG-001"];
    await t.step("a preview shows a line an entity and writes nothing", async () => {
      const before = readTree(cwd);
      const answer = await ok("plan.update", { ids, milestone: "v0.9.0", preview: true });
      assert.deepEqual(answer.lines, [
        "WORK-001: milestone v1.0.0 → v0.9.0",
        "WORK-002: milestone v1.0.0 → v0.9.0",
        "BUG-001: milestone v1.0.0 → v0.9.0",
      ]);
      assert.deepEqual([answer.changed, answer.preview], [3, true]);
      const same = await ok("plan.update", { ids, milestone: "v1.0.0", preview: true });
      assert.deepEqual([same.changed, same.lines[0]], [0, "WORK-001: unchanged"]);
      const one = await ok("plan.update", { id: "WORK-001", status: "done", preview: true });
      assert.deepEqual(one.changes, [{ field: "status", old: "ready", new: "done" }]);
      assert.deepEqual(readTree(cwd), before);
    });
    await t.step("one that fails leaves all as they were, and is named", async () => {
      const before = readTree(cwd);
      const cases = [
        [{ ids: [...ids, "WORK-099"], milestone: "v0.9.0" }, /WORK-099/],
        [{ ids: ["WORK-098", ...ids, "WORK-099"], milestone: "v0.9.0" }, /WORK-098, WORK-099/],
        [{ ids, status: "confirmed" }, /WORK-001.*confirmed/],
        [{ ids: ["WORK-001", "WORK-004"], milestone: "v0.9.0", check: ["all"] }, /WORK-004/],
        [{ ids, milestone: "v0.9.0", if: { status: "ready" } }, /BUG-001/],
        [{ ids, milestone: "v0.9.0", dependsOn: ["WORK-002"] }, /WORK-002/],
        [{ ids, title: "One" }, /"title" is for one/],
        [{ ids, id: "WORK-001", status: "done" }, /either "id" or "ids"/],
        [{ status: "done" }, /either "id" or "ids"/],
      ] as const;
      for (const [input, message] of cases) {
        const answer = await call("plan.update", input);
        assert.ok(answer.isError, JSON.stringify(input));
        assert.match(answer.content[0].text, message);
      }
      assert.deepEqual(readTree(cwd), before);
    });
    await t.step("repeated ids count once, and ids are written as in the plan", async () => {
      const { lines } = await ok("plan.update", {
        ids: ["WORK-004", "work-004", "WORK-005"],
        dependsOn: ["work-001"],
        check: [],
      });
      assert.deepEqual(lines, ["WORK-004: dependency WORK-001", "WORK-005: dependency WORK-001"]);
      const text = Deno.readTextFileSync(join(cwd, "plan/work/WORK-004-idea.md"));
      assert.match(text, /ref "WORK-001"/);
      const { id, uri } = await ok("plan.update", { id: "work-001", check: ["all"] });
      assert.deepEqual([id, uri], ["WORK-001", "refrakt://plan/work/WORK-001"]);
      assert.equal((await ok("plan.get", { id: "Work-001" })).id, "WORK-001");
    });
    await t.step("a hundred at once", async () => {
      const many = Array.from({ length: 100 }, (_, at) => `WORK-${100 + at}`);
      for (const id of many) {
        const text = entity("work", { id, status: "draft" }, id, "Text.\n");
        Deno.writeTextFileSync(join(cwd, `plan/work/${id}.md`), text);
      }
      const { changed, lines } = await ok("plan.update", { ids: many, status: "ready" });
      assert.deepEqual([changed, lines[99]], [100, "WORK-199: status draft → ready"]);
      assert.equal((await ok("plan.list", { status: "draft", type: "work" })).total, 0);
      assert.ok((await call("plan.update", { ids: [...many, "X"], status: "done" })).isError);
    });
  });
});
