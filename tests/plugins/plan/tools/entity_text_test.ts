import assert from "node:assert/strict";
import { join } from "node:path";
import { entity, makeProject } from "../../../support/project.ts";
import { fullPlan, PLAN_BUNDLE } from "../../../support/real_plan.ts";
import { inProcess } from "../../../support/in_process.ts";
import { testUnless } from "../../../support/skip.ts";

testUnless(
  PLAN_BUNDLE === undefined
    ? "the bundle of the real plan does not lie beside the checkout"
    : undefined,
  "an open code fence locks the sections of an entity of the real plan, and nothing is lost",
  async () => {
    const cwd = fullPlan();
    const path = join(cwd, "plan/work/WORK-208-preset-docs-pages.md");
    const before = Deno.readTextFileSync(path);
    await inProcess(cwd, async ({ ok, call }) => {
      const shown = await ok("plan.get", { id: "WORK-208" });
      assert.equal(shown.notEditable.line, 67);
      assert.deepEqual(
        shown.notEditable.sections,
        ["description", "Acceptance Criteria", "Approach"],
      );
      const inputs = [
        { sections: { Approach: "Another one." } },
        { sections: { Dependencies: "" } },
        { append: { Approach: "More." } },
        { resolve: "Done." },
      ];
      for (const input of inputs) {
        const answer = await call("plan.update", { id: "WORK-208", ...input });
        assert.equal(answer.errorCode, "VALIDATION_ERROR");
        assert.match(answer.content[0].text, /code fence that opens in line 67 is not closed/);
      }
      assert.equal(Deno.readTextFileSync(path), before);
      const { criteria } = shown;
      const { n } = criteria.find(({ checked }: { checked: boolean }) => checked);
      await ok("plan.update", { id: "WORK-208", priority: "low", uncheck: n });
      const lines = before.split("\n");
      const after = Deno.readTextFileSync(path).split("\n");
      assert.equal(lines.filter((line, at) => line !== after[at]).length, 2);
    });
  },
);

Deno.test("an entity with thousands of criteria can be read and ticked", async () => {
  const boxes = Array.from({ length: 5000 }, (_, at) => `- [ ] Criterion ${at + 1}`).join("\n");
  const cwd = makeProject({
    "plan/work/WORK-001-many.md": entity(
      "work",
      { id: "WORK-001", status: "ready" },
      "Many",
      `## Acceptance Criteria\n${boxes}\n`,
    ),
  });
  await inProcess(cwd, async ({ ok }) => {
    const { criteria, more } = await ok("plan.get", { id: "WORK-001" });
    assert.ok(criteria.length >= 100 && criteria.length < 5000);
    assert.ok(more.cursor);
    const { openCriteria } = await ok("plan.update", { id: "WORK-001", check: 4321 });
    assert.equal(openCriteria, 4999);
    const text = Deno.readTextFileSync(join(cwd, "plan/work/WORK-001-many.md"));
    assert.ok(text.includes("- [ ] Criterion 4320\n- [x] Criterion 4321\n- [ ] Criterion 4322\n"));
    const { rows } = await ok("plan.list", {});
    assert.ok(rows === undefined || rows.length === 1);
  });
});
