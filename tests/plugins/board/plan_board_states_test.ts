/** The plan board's other states, and the accessibility of all of them. */

import assert from "node:assert/strict";
import { makeProject, planFile, writeFiles } from "../../support/project.ts";
import { isAccessible } from "../../support/views/axe.ts";
import { withBrowser } from "../../support/views/browser.ts";
import { becomes, hasText } from "../../support/views/expect.ts";
import { BOARD, boardProject } from "./board_project.ts";

Deno.test("axe finds nothing serious in any state of the plan board, dark, at 320 pixels", async () => {
  await withBrowser(boardProject(), async (open) => {
    const { page, view } = await open({ theme: "dark", width: 320, height: 640, ...BOARD });
    const frame = page.frames()[1]!;
    const press = (name: string) => view.getByRole("button", { name, exact: true }).click();
    const background = await frame.evaluate("getComputedStyle(document.body).backgroundColor");
    assert.notEqual(background, "rgb(255, 255, 255)");
    await frame.getByRole("button", { name: /^Filters/ }).click();
    await isAccessible(frame);
    await frame.locator('.card[data-id="WORK-666"]').click();
    await view.getByLabel("is shown as text").waitFor();
    await press("Edit title");
    await isAccessible(frame);
    await press("Discard");
    await press("Close");
    await press("New");
    await isAccessible(frame);
    await press("Close");
    await press("Now");
    await view.locator("#today .row").first().waitFor();
    await isAccessible(frame);
  });
});

Deno.test("on a phone, nothing deletes under a finger that scrolls, and all can be removed", async () => {
  const cwd = boardProject();
  await withBrowser(cwd, async (open) => {
    const { view } = await open({ hasTouch: true, width: 390, height: 844, ...BOARD });
    const panel = view.locator("#entity");
    const tap = (name: string) => panel.getByRole("button", { name, exact: true }).tap();
    await view.locator('.card[data-id="WORK-002"]').tap();
    await panel.locator(".criteria li").first().waitFor();
    assert.equal(await panel.getByRole("button", { name: "Remove", exact: true }).count(), 0);
    const criteria = panel.locator(".criteria li");
    await becomes(() => criteria.count(), 3);
    await tap("Edit criterion 2");
    await tap("Remove");
    await becomes(() => criteria.count(), 2);
  });
});

Deno.test("a board with the filters of its call offers to create the first entity, and draws of many cards those that are seen", async () => {
  const cwd = makeProject({ "plan/work/.gitkeep": "" });
  await withBrowser(cwd, async (open) => {
    const input = { filter: { tab: "board", type: "work" } };
    const { page, view, look } = await open({ ready: ".empty button", input });
    const message = view.locator("#message");
    await view.getByRole("button", { name: "Create the first one" }).click();
    await view.getByLabel("Title", { exact: true }).fill("Begin");
    await view.getByRole("button", { name: "Create", exact: true }).click();
    await hasText(view.locator("#notice"), "WORK-001 was created");
    await hasText(message, "1 of 1 entities");
    await view.getByRole("button", { name: "Close", exact: true }).click();
    for (let number = 100; number < 230; number++) {
      writeFiles(cwd, planFile(`WORK-${number}`, { status: "draft" }));
    }
    writeFiles(cwd, planFile("BUG-001", { status: "reported" }));
    await look(hasText(message, "131 of 132 entities"));
    const cards = view.locator('.column[data-status="draft"] .card');
    const drawn = await cards.count();
    assert.ok(drawn < 100, `${drawn} cards`);
    await view.locator('.column[data-status="draft"] ul').evaluate((list) =>
      list.scrollTo(0, list.scrollHeight)
    );
    await becomes(async () => await cards.count() > drawn, true);
    await cards.first().focus();
    await page.keyboard.press("End");
    await becomes(() => view.locator(":focus").getAttribute("data-id"), "WORK-229");
  });
});
