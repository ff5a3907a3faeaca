/** The plan board in a real browser: the official bridge, a real server, real files, real git. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { git } from "../../support/project.ts";
import { copyExample } from "../../support/run.ts";
import { isAccessible } from "../../support/views/axe.ts";
import { withBrowser } from "../../support/views/browser.ts";
import { becomes, hasText } from "../../support/views/expect.ts";

const HOSTILE = `{% work id="WORK-666" status="ready" priority="low" milestone="v1.0.0" %}

# <img src=x onerror="document.title='owned'"> & </script><b>bold</b>

A *list* and a [link](javascript:alert(1)):

1. one
   - two

{% hint type="note" %}
<b>Noted</b>
{% /hint %}

\`\`\`ts
const tag = "{% work %}";
\`\`\`

## Acceptance Criteria

- [ ] <script>parent.document.title='owned'</script> is shown as text

{% /work %}
`;

/** The example with a history, a hostile entity and a column that has to scroll. */
function project(): string {
  const cwd = copyExample("plan");
  const commit = (message: string, date: string) => {
    git(cwd, "add", "-A");
    git(cwd, "commit", "-q", "-m", message, `--date=${date}`);
  };
  const index = join(cwd, "plan/work/WORK-001-build-the-index.md");
  const done = Deno.readTextFileSync(index);
  Deno.writeTextFileSync(index, done.replace('status="done"', 'status="in-progress"'));
  git(cwd, "init", "-q", "-b", "main");
  commit("Plan the search", "2026-02-20T12:00:00Z");
  Deno.writeTextFileSync(index, done);
  commit("Build the index", "2026-03-02T12:00:00Z");
  Deno.writeTextFileSync(join(cwd, "plan/work/WORK-666-hostile.md"), HOSTILE);
  for (let number = 700; number < 730; number++) {
    Deno.writeTextFileSync(
      join(cwd, `plan/work/WORK-${number}-filler.md`),
      `{% work id="WORK-${number}" status="draft" priority="low" %}\n\n# One of many\n\n{% /work %}\n`,
    );
  }
  return cwd;
}

Deno.test("the plan board works in a browser behind the official bridge", async (t) => {
  const cwd = project();
  const path = (name: string) => join(cwd, "plan/work", name);
  const file = (name: string) => Deno.readTextFileSync(path(name));
  await withBrowser(cwd, async (open) => {
    // Wide enough for all columns: a drag does not scroll.
    const { page, view } = await open({ width: 1600 });
    const card = (id: string) => view.locator(`.card[data-id="${id}"]`);
    const dialog = view.locator("dialog");
    const message = view.locator("#message");
    const said = view.locator("#entity-message");
    const close = async () => {
      await view.getByRole("button", { name: "Close", exact: true }).click();
      await dialog.waitFor({ state: "hidden" });
    };
    const focused = () =>
      view.locator(":focus").evaluate((one) =>
        one.dataset["id"] ?? (one.id || one.dataset["key"]) ?? ""
      );
    const press = (...keys: string[]) =>
      keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());

    await t.step("columns have counts, and filters and search narrow them", async () => {
      const cards = () => view.locator(".card").count();
      await hasText(view.locator('.column[data-status="ready"] h2'), "ready 3");
      await hasText(card("WORK-002"), "WORK-002 · high · v1.0.0 · 0/3");
      assert.equal(await card("WORK-001").count(), 0, "finished ones are not shown at first");
      await view.locator("#finished").check();
      await becomes(() => card("WORK-001").count(), 1);
      await view.locator("#search").fill("query box");
      await becomes(cards, 1);
      await view.locator("#search").fill("nothing is called so");
      await hasText(view.locator("#board"), "No entity is like that");
      await view.locator("#search").fill("");
      await view.locator("#type").selectOption("bug");
      await becomes(cards, 1);
      await view.locator("#type").selectOption("");
      await view.locator("#milestone").selectOption("none");
      await becomes(() => card("WORK-002").count(), 0);
      await becomes(() => card("WORK-700").count(), 1);
      await view.locator("#milestone").selectOption("");
      const lanes = () => view.locator(".lane h2").allTextContents();
      await view.locator("#lanes").selectOption("type");
      await becomes(lanes, ["bug 1", "decision 1", "milestone 1", "spec 1", "work 35"]);
      await view.locator("#lanes").selectOption("milestone");
      await becomes(lanes, ["v1.0.0 7", "none 32"]);
      await view.locator("#lanes").selectOption("");
    });

    await t.step("what waits says for what, and the chain is marked", async () => {
      await view.locator("#blocked").check();
      const shown = () => view.locator(".card .id").allTextContents();
      await becomes(shown, ["WORK-004", "WORK-003"]);
      await view.locator("#blocked").uncheck();
      await hasText(card("WORK-004"), "waits for WORK-003 › WORK-002");
      await card("WORK-003").hover();
      const mark = (id: string) => card(id).getAttribute("data-chain");
      await becomes(() => mark("WORK-002"), "before");
      await becomes(() => mark("WORK-004"), "after");
      assert.equal(await mark("WORK-700"), null);
    });

    await t.step("what the plan says is shown as text, never as markup", async () => {
      await hasText(card("WORK-666"), "<img src=x onerror=");
      await card("WORK-666").click();
      await view.getByRole("heading", { name: /^WORK-666 / }).waitFor();
      await hasText(dialog, "<script>parent.document");
      assert.equal(await view.locator("dialog :is(img, script, b, a), .card img").count(), 0);
      assert.equal(await page.title(), "ready");
      await hasText(dialog.locator("ol > li > ul > li"), "two");
      await hasText(dialog.locator("p em"), "list");
      await hasText(dialog.locator(".rune"), "<b>Noted</b>");
      await hasText(dialog.locator("pre"), 'const tag = "{% work %}";');
      await close();
    });

    await t.step(
      "an entity has its facts, both ways of its dependencies and its history",
      async () => {
        await card("WORK-002").click();
        await hasText(dialog, "A search field in the header");
        await hasText(dialog.locator(".fact"), "priority high");
        const section = (name: string) =>
          dialog.locator("section").filter({ hasText: new RegExp(`^${name}`) });
        await hasText(section("Depends on 1"), "WORK-001 Build the search index done");
        await hasText(section("Needed by 1"), "WORK-003");
        await hasText(section("History"), "2026-02-20created as ready");
        await section("Depends on 1").getByRole("button").click();
        await view.getByRole("heading", { name: /^WORK-001 / }).waitFor();
        await hasText(section("History"), "2026-03-02in-progress → done");
        await dialog.getByRole("button", { name: "Back to WORK-002" }).click();
        await view.getByRole("heading", { name: /^WORK-002 / }).waitFor();
      },
    );

    await t.step("ticking a criterion changes the file, and says so", async () => {
      await view.getByLabel("The field opens with the slash key").check();
      await hasText(said, 'WORK-002: ticked "The field');
      assert.match(file("WORK-002-query-box.md"), /- \[x\] The field opens with the slash key/);
      await hasText(dialog.locator("h3"), "Acceptance criteria 1 of 3");
      await becomes(focused, "criterion The field opens with the slash key");
      await view.getByLabel("The field opens with the slash key").uncheck();
      await hasText(said, "unticked");
      assert.match(file("WORK-002-query-box.md"), /- \[ \] The field opens with the slash key/);
    });

    await t.step("a card is moved in its dialog", async () => {
      await view.locator("#status").selectOption("done");
      await hasText(said, "WORK-002: ready → done");
      assert.match(file("WORK-002-query-box.md"), /status="done"/);
      await becomes(() => view.locator("#status").inputValue(), "done");
      await close();
      assert.doesNotMatch((await card("WORK-003").textContent())!, /waits for/);
    });

    await t.step("a write that is refused says why, and changes nothing", async () => {
      const before = file("WORK-003-rank-results.md");
      await card("WORK-003").dragTo(view.locator('.column[data-status="accepted"]'));
      await hasText(
        view.locator("#message.bad"),
        /WORK-003 was not moved to accepted\. .*accepted/,
      );
      assert.equal(file("WORK-003-rank-results.md"), before);
      await card("WORK-003").dragTo(view.locator('.column[data-status="draft"] h2'));
      await hasText(message, "WORK-003: ready → draft");
      assert.match(file("WORK-003-rank-results.md"), /status="draft"/);
    });

    await t.step("a change on disk appears, on the board and in the dialog", async () => {
      const rename = (title: string) =>
        Deno.writeTextFileSync(
          path("WORK-003-rank-results.md"),
          file("WORK-003-rank-results.md").replace(/^# .*$/m, `# ${title}`),
        );
      await card("WORK-003").focus();
      rename("Renamed on disk");
      await hasText(card("WORK-003"), "Renamed on disk");
      await becomes(focused, "WORK-003");
      await press("Enter");
      await view.getByRole("heading", { name: /Renamed on disk/ }).waitFor();
      await view.getByRole("button", { name: "Close", exact: true }).focus();
      rename("Renamed once more");
      await view.getByRole("heading", { name: /Renamed once more/ }).waitFor();
      await becomes(focused, "close");
      await press("Escape");
      await becomes(focused, "WORK-003");
    });

    await t.step("the keyboard alone finds a card, ticks, moves and comes back", async () => {
      await view.locator("#search").focus();
      await page.keyboard.type("WORK-004");
      await hasText(message, "1 of 39 entities");
      for (let tabs = 0; await focused() !== "WORK-004" && tabs < 9; tabs++) await press("Tab");
      await press("Enter");
      await becomes(focused, "entity-title");
      const reach = async (key: string) => {
        for (let tabs = 0; !(await focused()).startsWith(key) && tabs < 9; tabs++) {
          await press("Tab");
        }
      };
      await reach("criterion");
      await press("Space");
      await hasText(said, "WORK-004: ticked");
      await press("Escape");
      await becomes(focused, "WORK-004");
      await view.locator("#search").fill("");
      await card("WORK-700").focus();
      await press("ArrowDown");
      await becomes(focused, "WORK-701");
      await press("ArrowRight", "ArrowLeft");
      await becomes(focused, "WORK-701");
      await press("End");
      await becomes(focused, "WORK-729");
    });

    await t.step("the timeline says what was finished when, and burns up", async () => {
      await view.locator("#tab-board").focus();
      await press("ArrowRight");
      const chart = view.getByRole("img", {
        name: "Burn-up of v1.0.0: 2 of 6 done, 2026-02-20 to 2026-03-02",
      });
      await chart.waitFor();
      const month = view.locator(".month");
      await hasText(month.locator("h2"), "March 2026 1 finished");
      await hasText(month, "v1.0.0 12026-03-02 WORK-001 Build the search index done");
      await month.getByRole("button").first().click();
      await view.getByRole("heading", { name: /^WORK-001 / }).waitFor();
      await close();
      await view.getByRole("tab", { name: "Board" }).click();
    });

    for (const theme of ["light", "dark"] as const) {
      await t.step(`axe finds nothing serious in any state, ${theme}, at 320 pixels`, async () => {
        const { page, view } = await open({ theme, width: 320, height: 640 });
        const frame = page.frames()[1]!;
        const background = await frame.evaluate("getComputedStyle(document.body).backgroundColor");
        assert.equal(background === "rgb(255, 255, 255)", theme === "light");
        await frame.locator("#finished").check();
        await isAccessible(frame);
        if (theme === "dark") {
          await frame.locator("#lanes").selectOption("milestone");
          await isAccessible(frame);
        }
        await frame.locator('.card[data-id="WORK-666"]').click();
        await view.locator("#entity-title").waitFor();
        await isAccessible(frame);
        await view.getByRole("button", { name: "Close", exact: true }).click();
        await view.getByRole("tab", { name: "Timeline" }).click();
        await view.locator(".month").first().waitFor();
        await isAccessible(frame);
      });
    }
  });
});
