/** The board beside plan_next, plan_review and git, in a real browser: Now, the panel, the keys. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { commitAll, git, writeFiles } from "../../support/project.ts";
import { inProcess } from "../../support/in_process.ts";
import { copyExample } from "../../support/run.ts";
import { isAccessible } from "../../support/views/axe.ts";
import { withBrowser } from "../../support/views/browser.ts";
import { becomes, hasText } from "../../support/views/expect.ts";

const idle =
  `{% work id="WORK-050" status="in-progress" priority="low" milestone="v1.0.0" assignee="old-bot" %}

# Forgotten long ago

## Acceptance Criteria

- [x] One
- [ ] Two

{% /work %}
`;

/** The example with an idle item, one on another branch, and a review. */
function project(): string {
  const cwd = copyExample("plan");
  const commit = (message: string, date: string) =>
    commitAll(cwd, message, `--date=${date}`, "--author=ada <ada@example.com>");
  git(cwd, "init", "-q", "-b", "main");
  git(cwd, "config", "user.name", "ada");
  git(cwd, "config", "user.email", "ada@example.com");
  const review = idle.replace("in-progress", "review");
  writeFiles(cwd, {
    "plan/work/WORK-050-forgotten.md": idle,
    "plan/work/WORK-051-review.md": review.replace("WORK-050", "WORK-051")
      .replace('assignee="old-bot"', "").replace("Forgotten long ago", "Look at this"),
    "plan/work/WORK-052-other.md": review.replace("WORK-050", "WORK-052").replace("old-bot", "eve"),
  });
  commit("Plan the search", "2025-03-03T12:00:00Z");
  git(cwd, "checkout", "-q", "-b", "agent/rank");
  const rank = "plan/work/WORK-003-rank-results.md";
  const there = Deno.readTextFileSync(join(cwd, rank))
    .replace(/status="[a-z-]+"/, 'status="in-progress" assignee="claude-7"');
  writeFiles(cwd, { [rank]: there });
  commit("Begin to rank", new Date().toISOString());
  git(cwd, "checkout", "-q", "main");
  return cwd;
}

Deno.test("the board says the same as plan_next, plan_review and git", async (t) => {
  const cwd = project();
  const file = (name: string) => Deno.readTextFileSync(join(cwd, "plan/work", name));
  const save = (name: string, text: string) => writeFiles(cwd, { [`plan/work/${name}`]: text });
  const [box, rank] = ["WORK-002-query-box.md", "WORK-003-rank-results.md"];
  const idled = "WORK-050-forgotten.md";
  await withBrowser(cwd, async (open) => {
    const { page, view, look } = await open({ width: 1440, height: 900, ready: "#now" });
    const frame = page.frames()[1]!;
    const panel = view.locator("#entity");
    const [notice, bad] = [view.locator("#notice"), view.locator(".notice.bad")];
    const saved = (name: string, pattern: RegExp) =>
      becomes(() => Promise.resolve(pattern.test(file(name))), true);
    const button = (name: string) => view.getByRole("button", { name, exact: true });
    const label = (name: string) => panel.getByLabel(name, { exact: true });
    const card = (id: string) => view.locator(`.card[data-id="${id}"]`);
    const press = (key: string) => page.keyboard.press(key);
    const part = (name: string) =>
      view.locator("section", { has: view.getByRole("heading", { name }) });
    const close = async () => {
      await button("Close").click();
      await panel.waitFor({ state: "hidden" });
    };

    await t.step(
      "Now offers what plan_next offers, with reasons, and counts what waits",
      async () => {
        await inProcess(cwd, async ({ ok }) => {
          const next = await ok("plan_next", { count: 3 });
          const offered = () =>
            view.locator(".offer .card").evaluateAll((all) =>
              all.map((one) => one.getAttribute("data-id"))
            );
          await becomes(offered, next.items.map(({ id }: { id: string }) => id));
        });
        await hasText(view.locator('.offer [data-id="WORK-002"] .reason'), /^high · unblocks 1$/);
        await hasText(part("Take next").locator("summary"), "1 waits for WORK-002 (ready)");
        await view.locator(".waiting summary").click();
        await hasText(
          view.locator(".waiting li"),
          /WORK-003.*waits for WORK-002.*depends on it, line 14/s,
        );
        await button("Does not depend on it: WORK-003 on WORK-002").click();
        await becomes(() => view.locator(".waiting").count(), 0);
        assert.doesNotMatch(file(rank), /WORK-002/);
        await button("Undo").click();
        await hasText(notice, "Undone: WORK-003: does not depend on WORK-002");
      },
    );

    await t.step("Today says who changed what, and shows it", async () => {
      const today = view.locator("#today");
      await hasText(today, /ada.*WORK-003.*ready → in-progress.*agent\/rank/s);
      const before = file(box);
      const theirs = before.replace('status="ready"', 'status="ready" assignee="claude-7"');
      save(box, `${theirs}\nMore.\n`);
      const person = today.locator(".person", {
        has: view.locator("strong", { hasText: "claude-7" }),
      });
      await look(hasText(person, /WORK-002.*assignee - → claude-7.*not committed/s));
      await person.getByTitle("Show the difference").click();
      await hasText(person.locator(".difference .added").first(), 'assignee="claude-7"');
      await isAccessible(frame);
      save(box, before);
      await look(becomes(() => person.count(), 0));
    });

    await t.step("a review is accepted or sent back; open criteria are said", async () => {
      await button("Send back WORK-051").click();
      await hasText(notice, "WORK-051: review → in-progress");
      await button("Undo").click();
      await hasText(notice, "Undone: WORK-051");
      await button("Accept WORK-051").click();
      await hasText(notice, /WORK-051: review → done\. done with 1 open criterion/);
      await button("Undo").click();
      await hasText(notice, "Undone: WORK-051");
      assert.match(file("WORK-051-review.md"), /status="review"/);
    });

    await t.step("In flight shows who works where, and since when not", async () => {
      const flight = (id: string) => view.locator(".flight", { hasText: id });
      await hasText(flight("WORK-003"), /claude-7.*agent\/rank.*active today/s);
      await hasText(flight("WORK-050"), /old-bot.*main.*1\/2.*idle since 2025-03-03/s);
      await hasText(part("Needs you"), /review.*WORK-051.*nobody is assigned/s);
      await button("Release WORK-050").click();
      await becomes(() => flight("WORK-050").count(), 0);
      assert.match(file(idled), /status="ready"/);
      await button("Undo").click();
      await hasText(flight("WORK-050"), "old-bot");
      assert.match(file(idled), /status="in-progress".*assignee="old-bot"/);
    });

    await t.step("Claim takes an item for the person of git's configuration", async () => {
      await button("Claim WORK-002").click();
      await hasText(notice, "WORK-002 is in progress, claimed by ada");
      assert.match(file(box), /status="in-progress".*assignee="ada"|assignee="ada".*in-progress/);
      await hasText(part("In flight"), "WORK-002");
      await button("Undo").click();
      await hasText(notice, "Undone");
      assert.match(file(box), /status="ready"/);
    });

    await t.step("the panel leaves the board alive; its keys move on", async () => {
      await button("Board").click();
      await card("WORK-002").click();
      await hasText(panel, "Acceptance criteria 0 of 3");
      await hasText(card("WORK-003"), "waits for WORK-002");
      await card("WORK-003").click();
      await hasText(panel.locator("#entity-title"), "WORK-003");
      await press("k");
      await hasText(panel.locator("#entity-title"), "WORK-002");
      await press("c");
      await hasText(notice, /WORK-002/);
      await press("?");
      await hasText(view.locator(".keys"), "Copy its ID");
      await isAccessible(frame);
      await press("Escape");
      await panel.waitFor();
    });

    await t.step("properties are edited in place, and drafts outlive Escape", async () => {
      await label("priority").selectOption("low");
      await hasText(notice, "WORK-002: priority high → low");
      await label("tags").fill("search, ui, later");
      await press("Escape");
      await panel.waitFor({ state: "hidden" });
      assert.doesNotMatch(file(box), /later/);
      await card("WORK-002").click();
      assert.equal(await label("tags").inputValue(), "search, ui, later");
      await button("Save tags").click();
      await hasText(notice, "tags search, ui → search, ui, later");
      assert.match(file(box), /tags="search, ui, later"/);
      await label("Add a section").fill("Risks");
      await press("Enter");
      await panel.locator("textarea").fill("None.");
      await button("Save").click();
      await hasText(notice, 'WORK-002: "Risks" saved');
      assert.match(file(box), /\n## Risks\n+None\.\n/);
      await button("Undo").click();
      await hasText(notice, 'Undone: WORK-002: "Risks" saved');
      assert.doesNotMatch(file(box), /Risks/);
    });

    await t.step("criteria are added, changed and removed", async () => {
      await label("Add criterion").fill("It remembers");
      await press("Enter");
      await hasText(panel.locator("h3"), "Acceptance criteria 0 of 4");
      await becomes(() => label("Add criterion").inputValue(), "");
      await button("Edit criterion 4").click();
      await label("criterion 4").fill("It remembers the last query");
      await press("Enter");
      await saved(box, /- \[ \] It remembers the last query\n/);
      await hasText(notice, "reworded");
      await button("Edit criterion 4").click();
      await button("Remove").click();
      await hasText(notice, 'removed "It remembers the last query"');
      await isAccessible(frame, "#entity");
      await button("Undo").click();
      await hasText(notice, 'Undone: WORK-002: removed "It remembers the last query"');
      await button("Undo").click();
      await hasText(notice, "Undone: WORK-002: reworded");
      await button("Undo").click();
      if (!await panel.isVisible()) await card("WORK-002").click();
      await hasText(panel.locator("#entity-title"), "WORK-002");
      await becomes(() => Promise.resolve(/remembers/.test(file(box))), false);
    });

    await t.step(
      "what others have changed is not undone, is said, and is passed over",
      async () => {
        await hasText(panel.locator("h3"), "Acceptance criteria 0 of 3");
        const own = file(box);
        await label("Add criterion").fill("It is short");
        await press("Enter");
        await hasText(notice, 'added "It is short"');
        save(box, `${file(box)}\nTheirs.\n`);
        await button("Undo").click();
        await hasText(bad, /Not undone: WORK-002: added.*was changed since.*Before that: /s);
        save(box, own);
        await look(hasText(panel.locator("h3"), "Acceptance criteria 0 of 3"));
      },
    );

    await t.step("New keeps what was typed; a drop on done says what is open", async () => {
      await close();
      await press("n");
      await view.getByLabel("Title", { exact: true }).fill("Half a thought");
      await press("Escape");
      await button("New").click();
      assert.equal(await view.getByLabel("Title", { exact: true }).inputValue(), "Half a thought");
      await button("Clear").click();
      await close();
      await page.setViewportSize({ width: 1800, height: 900 });
      await card("WORK-002").dragTo(view.locator('.column[data-status="done"] h2'));
      await hasText(notice, "ready → done. done with 3 open criteria");
      assert.match(file(box), /status="done"/);
    });

    await t.step("a milestone lists its items; filters that hide cards are named", async () => {
      await view.locator(".summary").getByRole("button", { name: /v1\.0\.0/ }).click();
      await hasText(panel, /Open \d+.*WORK-003.*Finished \d+.*WORK-001/s);
      await isAccessible(frame, "#entity");
      await close();
      await view.locator("#priority").selectOption("low");
      await hasText(view.locator("#message"), "hidden by type, milestone, priority");
      await button("Show all").click();
      assert.equal(await view.locator("#priority").inputValue(), "all");
    });

    await t.step("a change of branch is one sentence, and the head names the branch", async () => {
      git(cwd, "checkout", "-q", "-b", "agent/next");
      await look(hasText(view.locator("h1"), /· agent\/next$/));
      await hasText(notice, /Now on agent\/next/);
    });

    await t.step(
      "filters are on one line at 1440 pixels, and no page scrolls at 1024",
      async () => {
        const height = await view.locator(".filters").evaluate((one) => one.clientHeight);
        assert.ok(height < 40, String(height));
        await page.setViewportSize({ width: 1024, height: 800 });
        const excess = "document.documentElement.scrollHeight - innerHeight";
        for (const tab of ["Now", "Board"]) {
          await button(tab).click();
          await becomes(() => frame.evaluate(excess).then((more) => Number(more) <= 0), true);
        }
      },
    );
  });
});
