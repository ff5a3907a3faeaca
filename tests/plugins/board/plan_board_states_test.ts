/** The plan board's other states, and the accessibility of all of them. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { copyExample } from "../../support/run.ts";
import { isAccessible } from "../../support/views/axe.ts";
import { withBrowser } from "../../support/views/browser.ts";
import { becomes, hasText } from "../../support/views/expect.ts";
import { BOARD, boardProject } from "./board_project.ts";

Deno.test("axe finds nothing serious in the plan board", async (t) => {
  await withBrowser(boardProject(), async (open) => {
    for (const theme of ["light", "dark"] as const) {
      await t.step(`axe finds nothing serious in any state, ${theme}, at 320 pixels`, async () => {
        const { page, view } = await open({ theme, width: 320, height: 640, ...BOARD });
        const frame = page.frames()[1]!;
        const button = (name: string) => view.getByRole("button", { name });
        const background = await frame.evaluate("getComputedStyle(document.body).backgroundColor");
        assert.equal(background === "rgb(255, 255, 255)", theme === "light");
        await frame.getByRole("button", { name: /^Filters/ }).click();
        if (theme === "dark") await frame.locator("#lanes").selectOption("milestone");
        await isAccessible(frame);
        await frame.locator('.card[data-id="WORK-666"]').click();
        await view.getByLabel("is shown as text").waitFor();
        await button("Edit title").click();
        await isAccessible(frame);
        if (theme === "dark") return;
        await button("Discard").click();
        await view.getByRole("button", { name: "Close", exact: true }).click();
        await button("New").click();
        await isAccessible(frame);
        await view.getByRole("button", { name: "Close", exact: true }).click();
        await button("Timeline").click();
        await view.locator(".charts figure").first().waitFor();
        await isAccessible(frame);
      });
    }
  });
});

Deno.test("on a phone, nothing deletes under a finger that scrolls, and all can be removed", async () => {
  const cwd = boardProject();
  const file = () => Deno.readTextFileSync(join(cwd, "plan/work/WORK-002-query-box.md"));
  await withBrowser(cwd, async (open) => {
    const { view } = await open({ hasTouch: true, width: 390, height: 844, ...BOARD });
    const panel = view.locator("#entity");
    const tap = (name: string) => panel.getByRole("button", { name, exact: true }).tap();
    await view.locator('.card[data-id="WORK-002"]').tap();
    const remove = panel.getByLabel("Remove dependency WORK-001");
    await remove.waitFor({ state: "hidden" });
    await panel.getByLabel("depends on", { exact: true }).tap();
    await remove.tap();
    await becomes(() => remove.count(), 0);
    assert.equal(await panel.getByRole("button", { name: "Remove", exact: true }).count(), 0);
    const criteria = panel.locator(".criteria li");
    await becomes(() => criteria.count(), 3);
    await tap("Change 2");
    await tap("Remove");
    await becomes(() => criteria.count(), 2);
    await tap("Close");
    await view.getByRole("button", { name: "Now", exact: true }).tap();
    const row = view.locator(".today", { hasText: "WORK-002" });
    const takeBack = row.getByRole("button", { name: /^Take back/ });
    await takeBack.waitFor({ state: "hidden" });
    await row.getByTitle("Show the difference").tap();
    await takeBack.tap();
    await hasText(view.locator("#notice"), "Taken back: WORK-002");
    assert.match(file(), /(?:- \[ \][^]*){3}WORK-001/);
  });
});

Deno.test("a column of many cards draws those that are seen, and a call opens the board with filters", async () => {
  const cwd = copyExample("plan");
  for (let number = 1000; number < 1300; number++) {
    const text =
      `{% work id="WORK-${number}" status="draft" milestone="v1.0.0" %}\n\n# Many\n\n{% /work %}\n`;
    Deno.writeTextFileSync(join(cwd, `plan/work/WORK-${number}-many.md`), text);
  }
  await withBrowser(cwd, async (open) => {
    const { page, view } = await open(BOARD);
    await hasText(view.locator("#message"), "305 of 308 entities");
    const cards = view.locator('.column[data-status="draft"] .card');
    const drawn = await cards.count();
    assert.ok(drawn < 100, `${drawn} cards`);
    await view.locator('.column[data-status="draft"] ul').evaluate((list) =>
      list.scrollTo(0, list.scrollHeight)
    );
    await becomes(async () => await cards.count() > drawn, true);
    await cards.first().focus();
    await page.keyboard.press("End");
    await becomes(() => view.locator(":focus").getAttribute("data-id"), "WORK-1299");
    const filtered = await open({ input: { filter: { type: "bug", milestone: "all" } } });
    await becomes(() => filtered.view.locator(".card .id").allTextContents(), ["BUG-001"]);
  });
});

Deno.test("milestones may be called like the parts of the view", async () => {
  const cwd = boardProject();
  for (const name of ["now", "cards", "headers", "timeline", "constructor"]) {
    Deno.writeTextFileSync(
      join(cwd, `plan/milestones/${name}.md`),
      `{% milestone name="${name}" status="active" %}\n\n# Soon\n\n## title\n\nSir\n\n{% /milestone %}\n`,
    );
    Deno.writeTextFileSync(
      join(cwd, `plan/work/WORK-9${name.length}-x.md`),
      `{% work id="WORK-9${name.length}" status="ready" milestone="${name}" %}\n\n# X\n\n{% /work %}\n`,
    );
  }
  await withBrowser(cwd, async (open) => {
    const { page, view } = await open({
      ready: "#entity-title",
      width: 1440,
      input: { filter: { open: "now" } },
    });
    const button = (name: string) => view.getByRole("button", { name, exact: true });
    await hasText(view.locator("#entity-title"), "now");
    await hasText(view.locator("#entity"), "WORK-93");
    // A section may be called like a field.
    await button("Edit title").last().click();
    await view.locator("#entity textarea").fill("Madam");
    await button("Save").click();
    await hasText(view.locator("#notice"), 'now: "title" saved');
    const text = () => Deno.readTextFileSync(join(cwd, "plan/milestones/now.md"));
    assert.match(text(), /# Soon\n\n## title\n\nMadam/);
    await page.keyboard.press("Control+z");
    await hasText(view.locator("#notice"), 'Undone: now: "title" saved');
    assert.match(text(), /## title\n\nSir/);
    await button("Close").click();
    await hasText(view.locator("#now"), "Take next");
    await button("Timeline").click();
    await view.locator("#timeline").waitFor();
    await button("Board").click();
    await view.locator("#milestone").selectOption("constructor");
    await becomes(() => view.locator(".card .id").allTextContents(), ["WORK-911"]);
  });
});

Deno.test("an empty plan offers to create the first entity", async () => {
  const cwd = copyExample("plan");
  for (const folder of ["work", "bugs", "specs", "decisions", "milestones"]) {
    for (const { name } of Deno.readDirSync(join(cwd, "plan", folder))) {
      Deno.removeSync(join(cwd, "plan", folder, name));
    }
  }
  await withBrowser(cwd, async (open) => {
    const { view } = await open({ ready: ".empty button", ...BOARD });
    await view.getByRole("button", { name: "Create the first one" }).click();
    await view.getByLabel("Title", { exact: true }).fill("Begin");
    await view.getByRole("button", { name: "Create", exact: true }).click();
    await hasText(view.locator("#notice"), "WORK-001 was created");
    await hasText(view.locator("#message"), "1 of 1 entities");
  });
});
