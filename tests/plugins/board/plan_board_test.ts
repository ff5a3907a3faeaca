/// <reference lib="dom" />
/** The plan board in a real browser: the official bridge, a real server, real files, real git. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { withBrowser } from "../../support/views/browser.ts";
import { becomes, hasText } from "../../support/views/expect.ts";
import { BOARD, boardProject } from "./board_project.ts";

Deno.test("the plan board works in a browser behind the official bridge", async (t) => {
  const cwd = boardProject();
  const path = (name: string) => join(cwd, "plan/work", name);
  const file = (name: string) => Deno.readTextFileSync(path(name));
  const edit = (name: string, from: string | RegExp, to: string) =>
    Deno.writeTextFileSync(path(name), file(name).replace(from, () => to));
  const [box, rank] = ["WORK-002-query-box.md", "WORK-003-rank-results.md"];
  const phone = "WORK-004-measure-on-a-phone.md";
  await withBrowser(cwd, async (open) => {
    const { page, view, look } = await open({ width: 1440, ...BOARD });
    const card = (id: string) => view.locator(`.card[data-id="${id}"]`);
    const dialog = view.locator("dialog");
    const message = view.locator("#message");
    const notice = view.locator("#notice");
    const cards = () => view.locator(".card").count();
    const close = async () => {
      await view.getByRole("button", { name: "Close", exact: true }).click();
      await dialog.waitFor({ state: "hidden" });
    };
    const button = (name: string) => view.getByRole("button", { name, exact: true });
    const focused = () =>
      view.locator("body").evaluate((body) => {
        const one = body.ownerDocument.activeElement as HTMLElement;
        return one.dataset["id"] ??
          (one.id || one.getAttribute("aria-label") || one.textContent || "");
      });
    const press = (...keys: string[]) =>
      keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());

    await t.step("at 1440 pixels it opens on active work, with every column in view", async () => {
      await hasText(message, "6 of 21 entities");
      const heads = await view.locator(".column").evaluateAll((all) =>
        all.filter((column) => {
          const { left, right } = column.getBoundingClientRect();
          return left >= 0 && right <= 1440;
        }).map((column) => column.getAttribute("data-status"))
      );
      assert.deepEqual(heads, "draft confirmed ready in-progress review blocked done".split(" "));
      assert.equal(await view.locator("#type").inputValue(), "tasks");
      assert.equal(await view.locator("#milestone").inputValue(), "v1.0.0");
      await hasText(view.locator(".summary"), "v1.0.0 1/6");
      await hasText(view.locator('[data-status="ready"] .count'), "3");
      assert.equal(await card("WORK-001").count(), 0, "finished ones are folded");
      await view.locator('[data-status="done"] h2 button').click();
      await card("WORK-001").waitFor();
      await view.locator('[data-status="done"] h2 button').click();
      await becomes(() => card("WORK-001").count(), 0);
      await button("Show all").click();
      await hasText(message, "21 of 21");
    });

    await t.step("filters and search narrow it; an empty result has a hint", async () => {
      await hasText(card("WORK-002"), "0/3v1.0.0search");
      await view.locator("#search").fill("query box");
      await becomes(cards, 1);
      await view.locator("#search").fill("nothing is called so");
      await hasText(view.locator(".empty"), "No matching entities.");
      await button("Show all").click();
      await hasText(message, "21 of 21");
      assert.equal(await view.locator("#search").inputValue(), "");
      await view.locator("#milestone").selectOption("none");
      await becomes(() => card("WORK-002").count(), 0);
      await becomes(() => card("WORK-700").count(), 1);
      await view.locator("#milestone").selectOption("all");
    });

    await t.step("a waiting card shows its dependencies", async () => {
      await view.locator("#blocked").check();
      const shown = () => view.locator(".card .id").allTextContents();
      await becomes(shown, ["WORK-004", "WORK-003"]);
      await view.locator("#blocked").uncheck();
      await hasText(card("WORK-004"), "waits for WORK-003 › WORK-002");
      await hasText(
        card("WORK-003").locator(".elsewhere"),
        "in-progress on feature/rank by ada",
      );
    });

    await t.step("the plan's text is shown as text, never as markup", async () => {
      await hasText(card("WORK-666"), "<img src=x onerror=");
      await card("WORK-666").click();
      await hasText(dialog, "<script>parent.document");
      await hasText(dialog.locator("ol > li > ul > li"), "two");
      await hasText(dialog.locator("p em"), "list");
      await hasText(dialog.locator(".rune"), "<b>Noted</b>");
      await hasText(dialog.locator("pre"), 'const tag = "{% work %}";');
      await close();
    });

    await t.step("an entity links to its source and its dependencies", async () => {
      await card("WORK-002").click();
      await hasText(dialog, "A search field in the header");
      await becomes(() => view.getByLabel("priority", { exact: true }).inputValue(), "high");
      const section = (name: string) =>
        dialog.locator("section").filter({ hasText: new RegExp(`^${name}`) });
      await hasText(section("Depends on 1"), /WORK-001.*done/);
      await hasText(section("Needed by 1"), "WORK-003");
      await section("Depends on 1").locator(".link").click();
      await hasText(view.locator("#entity-title"), "WORK-001");
      await button("Back to WORK-002").click();
      await hasText(view.locator("#entity-title"), "WORK-002");
    });

    await t.step(
      "ticking a criterion changes the file, is announced, and can be undone",
      async () => {
        await view.getByLabel("The field opens with the slash key").check();
        await hasText(notice, 'WORK-002: ticked "The field');
        assert.match(file(box), /- \[x\] The field opens with the slash key/);
        await hasText(dialog.locator("h3"), "Acceptance criteria 1 of 3");
        await button("Undo").click();
        await hasText(notice, "Undone: WORK-002: ticked");
        assert.match(file(box), /- \[ \] The field opens with the slash key/);
      },
    );

    await t.step("conflicting edits are reported, and neither is lost", async () => {
      await button("Edit title").click();
      await view.getByLabel("title", { exact: true }).fill("Mine");
      edit(box, /^# .*$/m, "# Theirs");
      await look(hasText(dialog.locator(".conflict pre"), "Theirs"));
      assert.equal(await view.getByLabel("title", { exact: true }).inputValue(), "Mine");
      assert.equal(await button("Save").isDisabled(), true);
      await button("Keep my text").click();
      await button("Save").click();
      await hasText(notice, /^WORK-002: the title saved/);
      assert.match(file(box), /^# Mine$/m);
      // Before the next poll: the edit itself notices.
      edit(box, 'status="ready"', 'status="review"');
      await view.locator("#status").selectOption("blocked");
      await hasText(
        view.locator(".notice.bad"),
        /status is .review.*Nothing was written/s,
      );
      assert.match(file(box), /status="review"/);
      await becomes(() => view.locator("#status").inputValue(), "review");
    });

    await t.step("a card can be moved in its dialog", async () => {
      await view.locator("#status").selectOption("done");
      await hasText(notice, "WORK-002: review → done. done with 3 open criteria");
      await close();
    });

    await t.step("entities are created with plan_create", async () => {
      await button("New").click();
      await view.getByLabel("Title", { exact: true }).fill("Remember the last query");
      await view.getByLabel("Description").fill("It comes back.");
      await view.getByLabel("Acceptance criteria").fill("After a reload\nOn a phone");
      await button("Create").click();
      await hasText(notice, /WORK-\d+ was created/);
      await view.getByLabel("On a phone").waitFor();
      const [id = ""] = /WORK-\d+/.exec((await notice.textContent())!) ?? [];
      const [name = ""] = [...Deno.readDirSync(join(cwd, "plan/work"))].map(({ name }) => name)
        .filter((name) => name.startsWith(id));
      assert.match(
        file(name),
        /# Remember the last query\n\nIt comes back\.[^]*- \[ \] On a phone/,
      );
      await button("Undo").click();
      await dialog.waitFor({ state: "hidden" });
      await hasText(notice, `Undone: ${id} was created.`);
      assert.throws(() => file(name), Deno.errors.NotFound);
    });

    await t.step("changes by others appear, on the board and in the dialog", async () => {
      const rename = (title: string) => edit(rank, /^# .*$/m, `# ${title}`);
      await card("WORK-003").focus();
      rename("Renamed on disk");
      await look(hasText(card("WORK-003"), "Renamed on disk"));
      await hasText(notice, "Changed on disk: WORK-003 was edited");
      assert.equal(await button("Undo").count(), 0, "it is not ours");
      await becomes(focused, "WORK-003");
      edit(rank, 'status="ready"', 'status="in-progress" assignee="bob"');
      await look(hasText(notice, "WORK-003: ready → in-progress (@bob)"));
      await becomes(focused, "WORK-003");
      await press("Enter");
      await hasText(view.locator("#entity-title"), "Renamed on disk");
      await button("Close").focus();
      rename("Renamed once more");
      await look(hasText(view.locator("#entity-title"), "Renamed once more"));
      await becomes(focused, "Close");
      await press("Escape");
      await becomes(focused, "WORK-003");
      // A change of nothing but the text, and several in one line.
      edit(rank, "## ", "More.\n\n## ");
      await look(hasText(notice, "Changed on disk: WORK-003 was edited"));
      edit(phone, 'status="', 'assignee="eve" status="');
      edit(rank, 'assignee="bob"', 'assignee="eve"');
      await look(hasText(notice, "2 changes by eve"));
      await button("Show").click();
      await view.locator("#today").waitFor();
      await button("Board").click();
    });

    await t.step("two windows see each other's changes, and who claimed what", async () => {
      const other = await open({ width: 1440, polls: true, ...BOARD });
      await other.view.locator('.card[data-id="WORK-004"]').click();
      // Before it has arrived, the entity may still replace what is typed.
      await hasText(other.view.locator("dialog"), "Acceptance criteria");
      await other.view.getByLabel("assignee", { exact: true }).fill("bob");
      await other.view.getByLabel("assignee", { exact: true }).press("Enter");
      await hasText(other.view.locator("#notice"), "bob");
      await page.bringToFront();
      await look(hasText(card("WORK-004").locator(".avatar"), "BO"));
      await hasText(notice, /WORK-004: claimed by bob/);
      // The other one looks by itself.
      await card("WORK-004").click();
      await view.locator("#status").selectOption("ready");
      await hasText(other.view.locator("#notice"), /WORK-004: draft → ready/);
      await close();
    });

    await t.step("a keyboard suffices to find a card, tick, move and return", async () => {
      await view.locator("#search").focus();
      await page.keyboard.type("WORK-004");
      await hasText(message, "1 of 21 entities");
      await becomes(cards, 1);
      for (let tabs = 0; await focused() !== "WORK-004" && tabs < 40; tabs++) await press("Tab");
      await press("Enter");
      await becomes(focused, "entity-title");
      await dialog.locator("[type=checkbox]").first().waitFor();
      const isBox = () =>
        view.locator("body").evaluate(({ ownerDocument }) =>
          ownerDocument.activeElement!.matches("[type=checkbox]")
        );
      for (let tabs = 0; !await isBox() && tabs < 20; tabs++) await press("Tab");
      await press("Space");
      await hasText(notice, "WORK-004: ticked");
      await press("Escape");
      await becomes(focused, "WORK-004");
      await view.locator("#search").fill("");
      await card("WORK-700").focus();
      await press("ArrowDown");
      await becomes(focused, "WORK-701");
      await press("ArrowRight", "ArrowLeft");
      await becomes(focused, "WORK-701");
      await press("End");
      await becomes(focused, "WORK-711");
    });
  });
});
