import assert from "node:assert/strict";
import {
  completeIds,
  completeMilestones,
  completeSpans,
  embed,
  listOf,
} from "../../../../plugins/plan/prompts/messages.ts";
import { viewOf } from "../../../support/plan.ts";
import { entity } from "../../../support/project.ts";
import { WIDE_PLAN } from "../tools/plan.ts";

Deno.test("open entities are offered first, by what was typed in any case", async () => {
  const plan = await viewOf(WIDE_PLAN);
  assert.deepEqual(completeIds(plan, "work-", ["work", "bug"]), [
    "WORK-001",
    "WORK-002",
    "WORK-004",
    "WORK-005",
    "WORK-003",
  ]);
  assert.deepEqual(completeIds(plan, "SPEC", ["work"]), []);
  assert.deepEqual(completeMilestones(plan, "v"), ["v1.0.0", "v0.9.0"]);
  assert.deepEqual(completeSpans("1"), ["1d", "14d"]);
});

Deno.test("a list says how many there are, and where those are that it leaves out", async () => {
  const { items } = await viewOf(WIDE_PLAN);
  const work = items.filter(({ type }) => type === "work");
  assert.equal(
    listOf("Work", work, (item) => item.id === "WORK-001" ? "first" : "", 2),
    "Work (5):\n- WORK-001 (ready) Parse the tables: first\n- WORK-002 (ready) Render the tables\n" +
      "- and 3 more: plan.list has them",
  );
  assert.equal(listOf("None", []), "");
});

Deno.test("a very long entity is embedded at its beginning, with the tool that has the rest", async () => {
  const plan = await viewOf({
    "plan/work/WORK-001-a.md": entity("work", { id: "WORK-001" }, "A", "word ".repeat(10_000)),
  });
  const { content } = embed(plan, plan.items[0]!);
  assert.ok(
    typeof content === "object" && content.type === "resource" && "text" in content.resource,
  );
  assert.equal(content.resource.uri, "refrakt://plan/work/WORK-001");
  assert.match(content.resource.text as string, /\[… \d+ more characters: plan\.get\]\n$/);
  assert.ok((content.resource.text as string).length < 12_100);
});
