/** The data that the board's view requests. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { commitAll } from "../../../support/project.ts";
import { copyExample } from "../../../support/run.ts";
import { inProcess } from "../../../support/in_process.ts";
import { ageOf } from "../../../../plugins/plan/entity/durations.ts";

Deno.test("only the board's view gets cards and texts", async (test) => {
  const cwd = copyExample("plan");
  const path = join(cwd, "plan/work/WORK-002-query-box.md");
  commitAll(cwd, "Plan the search", "--date=2026-02-20T12:00:00Z");
  const before = Deno.readTextFileSync(path);
  Deno.writeTextFileSync(path, before.replace('status="ready"', 'status="done"'));
  commitAll(cwd, "Add the query box", "--date=2026-03-05T12:00:00Z");
  await inProcess(cwd, async ({ call, ok }) => {
    // deno-lint-ignore no-explicit-any -- an answer as a view sees it
    const show = async (what: string | Record<string, string>): Promise<any> =>
      (await call("plan_board", typeof what === "string" ? { show: what } : what))
        ._meta!["refrakt/board"];

    await test.step("a card contains what the view shows", async () => {
      const { cards, statuses } = await show("cards");
      const { total } = await ok("plan_board");
      assert.equal(cards.length, total);
      assert.deepEqual(cards.find(({ id }: { id: string }) => id === "WORK-004"), {
        id: "WORK-004",
        type: "work",
        title: "Measure the search on a phone",
        status: "draft",
        milestone: "v1.0.0",
        priority: "low",
        tags: ["search"],
        waits: [["WORK-003"]],
        waitsFor: "WORK-003",
        criteria: [0, 1],
        since: "2026-02-20",
        age: ageOf("2026-02-20"),
        text: "75e93d",
      });
      // The first view does not wait for git.
      const { cards: [header] } = await show("headers");
      const names = ["since", "age", "elsewhere", "text"];
      assert.deepEqual(names.filter((name) => name in header), [], JSON.stringify(header));
      const done = cards.find(({ id }: { id: string }) => id === "WORK-002");
      assert.deepEqual([done.finished, done.since, done.age], [
        true,
        "2026-03-05",
        undefined,
      ]);
      const milestone = cards.find(({ id }: { id: string }) => id === "v1.0.0");
      assert.deepEqual(milestone.criteria, [2, 5]);
      assert.ok(statuses.work.includes("in-progress"), "also statuses that nothing has");
    });

    await test.step("an entity comes with its texts and what is related", async () => {
      const { sections, related } = await show({ entity: "WORK-002" });
      assert.equal(sections[0].name, "description");
      assert.match(JSON.stringify(sections[0].text), /A search field in the header/);
      assert.deepEqual(related[1], {
        title: "Needed by",
        entities: [{ id: "WORK-003", title: "Rank headings above paragraphs", status: "ready" }],
      });
    });

    await test.step("a model reads the same as without a view", async () => {
      const { structuredContent, content } = await call("plan_board", { show: "cards" });
      const without = await call("plan_board");
      assert.deepEqual(structuredContent, without.structuredContent);
      assert.deepEqual(content, without.content);
    });
  });
});
