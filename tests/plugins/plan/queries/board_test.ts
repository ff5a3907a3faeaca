/** The data that the board's view requests. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { git } from "../../../support/project.ts";
import { copyExample } from "../../../support/run.ts";
import { withServer } from "../../../support/server.ts";

Deno.test("only the board's view gets cards, the timeline and texts", async (test) => {
  const cwd = copyExample("plan");
  const path = join(cwd, "plan/work/WORK-002-query-box.md");
  git(cwd, "init", "-q", "-b", "main");
  git(cwd, "add", "-A");
  git(cwd, "commit", "-qm", "Plan the search", "--date=2026-02-20T12:00:00Z");
  Deno.writeTextFileSync(
    path,
    Deno.readTextFileSync(path).replace('status="ready"', 'status="done"'),
  );
  git(cwd, "commit", "-qam", "Add the query box", "--date=2026-03-05T12:00:00Z");
  await withServer(cwd, async ({ call, ok }) => {
    // deno-lint-ignore no-explicit-any -- an answer as a view sees it
    const show = async (what: string): Promise<any> =>
      (await call("plan.board", { show: what }))._meta!["refrakt/board"];

    await test.step("a card contains what the view shows", async () => {
      const { cards, statuses } = await show("cards");
      const { total } = await ok("plan.board");
      assert.equal(cards.length, total);
      assert.deepEqual(cards.find(({ id }: { id: string }) => id === "WORK-004"), {
        id: "WORK-004",
        type: "work",
        title: "Measure the search on a phone",
        status: "draft",
        milestone: "v1.0.0",
        priority: "low",
        tags: ["search"],
        blockedBy: ["WORK-003"],
        criteria: [0, 1],
        since: "2026-02-20",
      });
      // The first view does not wait for git, which knows since when, and what others have taken.
      const first = cards.map(({ since: _, offered: _offered, ...card }: Record<string, unknown>) =>
        card
      );
      assert.deepEqual((await show("headers")).cards, first);
      const done = cards.find(({ id }: { id: string }) => id === "WORK-002");
      assert.equal(done.finished, true);
      assert.ok(statuses.work.includes("in-progress"), "also statuses that nothing has");
    });

    await test.step("a lifespan begins with a commit and ends with the one that finished the entity", async () => {
      const { lives } = await show("timeline");
      assert.deepEqual(
        lives.find(({ id }: { id: string }) => id === "WORK-002"),
        { id: "WORK-002", created: "2026-02-20", finished: "2026-03-05" },
      );
    });

    await test.step("an unknown entity is an error with suggestions", async () => {
      const answer = await call("plan.board", { show: "WORK-020" });
      assert.equal(answer.isError, true);
      assert.match(answer.content[0].text, /WORK-002/);
    });

    await test.step("a model reads the same as without a view", async () => {
      const { structuredContent, content } = await call("plan.board", { show: "cards" });
      const without = await call("plan.board");
      assert.deepEqual(structuredContent, without.structuredContent);
      assert.deepEqual(content, without.content);
    });
  });
});
