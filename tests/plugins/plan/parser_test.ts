import assert from "node:assert/strict";
import { loadedPlan } from "../../support/plan.ts";
import { entity } from "../../support/project.ts";

Deno.test("a text with CRLF is parsed as one without", async () => {
  const { parse } = await loadedPlan();
  const source = entity(
    "work",
    { id: "WORK-001", status: "done" },
    "A",
    "## Acceptance Criteria\n- [x] One\n\n## Resolution\n\nCompleted: 2026-01-01\n\nDone.\n",
  );
  const plain = parse(source, "a.md");
  assert.equal(plain?.criteria.length, 1);
  assert.ok(plain.resolution);
  assert.deepEqual(parse(source.replaceAll("\n", "\r\n"), "a.md"), plain);
});

Deno.test("a text with more tags than an entity has, or with more of it, is refused and takes no time", async () => {
  const { parse } = await loadedPlan();
  const tags = (count: number) =>
    entity("work", { id: "WORK-001" }, "A", '{% ref "WORK-002" /%}\n'.repeat(count));
  assert.equal(parse(tags(100), "a.md")?.refs.length, 1);
  assert.throws(() => parse(tags(3000), "a.md"), { message: /more than 2000 tags/ });
  assert.throws(() => parse(tags(100_000), "a.md"), { code: "VALIDATION_ERROR" });
});
