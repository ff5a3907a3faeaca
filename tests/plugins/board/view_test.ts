/** The plan board in a real browser: the official bridge, a real server, real files. */

import assert from "node:assert/strict";
import { join } from "node:path";
import axe from "test/axe";
import { copyExample } from "../../support/run.ts";
import { withBrowser } from "../../support/views/browser.ts";
import { becomes, comesTrue, hasText } from "../../support/views/expect.ts";

const HOSTILE = `{% work id="WORK-666" status="ready" priority="low" milestone="v1.0.0" %}

# <img src=x onerror="document.title='owned'"> & </script><b>bold</b>

## Acceptance Criteria

- [ ] <script>parent.document.title='owned'</script> is shown as text

{% /work %}
`;

Deno.test("the plan board works in a browser behind the official bridge", async (t) => {
  const cwd = copyExample("plan");
  const file = (name: string) => Deno.readTextFileSync(join(cwd, "plan/work", name));
  Deno.writeTextFileSync(join(cwd, "plan/work/WORK-666-hostile.md"), HOSTILE);
  await withBrowser(cwd, async (open) => {
    const { page, view } = await open();
    const card = (id: string) => view.locator(`.card[data-id="${id}"]`);
    const message = view.locator("#message");

    await t.step("columns have counts, and filters and search narrow them", async () => {
      await hasText(view.locator('.column[data-status="ready"] h3'), /ready \d+/);
      await hasText(card("WORK-002"), "WORK-002 · high · 0/3");
      await hasText(card("WORK-003"), "waits for WORK-002");
      assert.equal(await card("WORK-001").count(), 0, "finished ones are not shown at first");
      await view.locator("#finished").check();
      await becomes(() => card("WORK-001").count(), 1);
      await view.locator("#search").fill("query box");
      await becomes(() => view.locator(".card").count(), 1);
      await view.locator("#search").fill("");
      await view.locator("#lanes").selectOption("type");
      await comesTrue(() => view.locator(".lane").count(), (lanes) => assert.ok(lanes > 1));
      await view.locator("#lanes").selectOption("");
    });

    await t.step("a title from the plan is shown as text, never as markup", async () => {
      await hasText(card("WORK-666"), "<img src=x onerror=");
      await card("WORK-666").click();
      await view.getByRole("heading", { name: /^WORK-666:/ }).waitFor();
      await hasText(view.locator("dialog"), "<script>parent.document");
      assert.equal(await view.locator("dialog img, dialog script, .card img").count(), 0);
      assert.equal(await page.title(), "ready");
      await view.getByRole("button", { name: "Close" }).click();
    });

    await t.step("ticking a criterion changes the file", async () => {
      await card("WORK-002").click();
      await view.getByLabel("The field opens with the slash key").check();
      await message.filter({ hasText: "ticked" }).waitFor();
      assert.match(file("WORK-002-query-box.md"), /- \[x\] The field opens with the slash key/);
      await view.getByLabel("The field opens with the slash key").uncheck();
      await message.filter({ hasText: "unticked" }).waitFor();
      assert.match(file("WORK-002-query-box.md"), /- \[ \] The field opens with the slash key/);
    });

    await t.step(
      "a card is moved in its dialog, and links lead to what it depends on",
      async () => {
        await view.locator("#status").selectOption("done");
        await message.filter({ hasText: "WORK-002: ready → done" }).waitFor();
        assert.match(file("WORK-002-query-box.md"), /status="done"/);
        await view.locator("dialog").getByRole("button", { name: /WORK-001/ }).click();
        await view.getByRole("heading", { name: /^WORK-001:/ }).waitFor();
        await view.getByRole("button", { name: "Close" }).click();
      },
    );

    await t.step("a write that is refused says why, and changes nothing", async () => {
      const before = file("WORK-003-rank-results.md");
      const box = await card("WORK-003").boundingBox();
      assert.ok(box !== null);
      await card("WORK-003").dragTo(view.locator('.column[data-status="accepted"]'));
      await view.locator("#message.bad").filter({ hasText: /WORK-003 was not moved/ }).waitFor();
      assert.equal(file("WORK-003-rank-results.md"), before);
    });

    await t.step("a change on disk appears", async () => {
      const path = join(cwd, "plan/work/WORK-003-rank-results.md");
      Deno.writeTextFileSync(
        path,
        file("WORK-003-rank-results.md").replace(/^# .*$/m, "# Renamed on disk"),
      );
      await card("WORK-003").filter({ hasText: "Renamed on disk" }).waitFor();
    });

    await t.step("the keyboard goes from card to card, opens one and comes back", async () => {
      await view.locator(".card[tabindex='0']").focus();
      const focused = () => view.locator(":focus").getAttribute("data-id");
      const first = await focused();
      await page.keyboard.press("ArrowRight");
      await comesTrue(focused, (second) => assert.notEqual(second, first));
      const second = await focused();
      await page.keyboard.press("Enter");
      await view.getByRole("heading", { name: new RegExp(`^${second}:`) }).waitFor();
      await page.keyboard.press("Escape");
      await becomes(focused, second);
    });

    await t.step("the timeline says what it knows without git, in the same view", async () => {
      await view.getByRole("tab", { name: "Timeline" }).click();
      await view.locator("#timeline p, #timeline svg").first().waitFor();
      await view.getByRole("tab", { name: "Board" }).click();
    });

    for (const theme of ["light", "dark"] as const) {
      await t.step(`axe finds nothing serious, ${theme}, at 320 pixels`, async () => {
        const { page } = await open({ theme, width: 320, height: 640 });
        const frame = page.frames()[1]!;
        await frame.locator(".card").first().click();
        await frame.evaluate(axe.source);
        const found = await frame.evaluate("axe.run()") as {
          violations: { id: string; impact: string; nodes: { html: string }[] }[];
        };
        const serious = found.violations.filter(({ impact }) =>
          impact === "serious" || impact === "critical"
        );
        assert.deepEqual(serious.map(({ id, nodes }) => [id, nodes[0]!.html]), []);
        await becomes(
          () =>
            frame.evaluate(
              "document.documentElement.scrollWidth - document.documentElement.clientWidth",
            ),
          0,
        );
        const colour = await frame.evaluate("getComputedStyle(document.body).backgroundColor");
        assert.equal(colour === "rgb(255, 255, 255)", theme === "light");
      });
    }
  });
});
