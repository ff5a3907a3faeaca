/// <reference lib="dom" />
/** The preview in a real browser: the official bridge, a real server, a real theme. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { coreSite, LUMINA } from "../../site/projects.ts";
import { copyExample } from "../../support/run.ts";
import { isAccessible } from "../../support/views/axe.ts";
import { withBrowser } from "../../support/views/browser.ts";
import { becomes, comesTrue, hasText } from "../../support/views/expect.ts";

const PAGE = `# A page

{% hint type="check" %}
Good. [away](https://example.com/)
{% /hint %}

{% nope /%}
`;

Deno.test("the preview shows a page in its theme", async (t) => {
  const cwd = coreSite({ theme: LUMINA }, { "content/a.md": PAGE });
  const options = { tool: "refrakt_preview", input: { path: "a.md" }, ready: "#names button" };
  await withBrowser(cwd, async (open) => {
    const { page, view } = await open(options);
    const inner = view.frameLocator("#frame");
    const hint = inner.locator(".rf-hint");

    await t.step("it is shown with diagnostics, names and outline", async () => {
      await hint.waitFor();
      await hasText(view.locator("#diagnostics"), /line 7: .*nope/);
      await hasText(view.locator("#outline"), "rf-hint");
      const names = () => view.locator("#names button").allTextContents();
      await becomes(names, ["hint: root", "hint: header"]);
    });

    await t.step("hovering shows the contract's name of the innermost element", async () => {
      const label = () =>
        inner.locator("html").evaluate((root) => getComputedStyle(root, "::after").content);
      await inner.locator(".rf-hint__header").hover();
      await becomes(label, '"hint: header"');
      await inner.getByText("Good.").hover();
      await becomes(label, '"hint: root"');
      await view.getByRole("button", { name: "hint: root" }).click();
      await comesTrue(
        () => hint.evaluate((one) => getComputedStyle(one).outline),
        (outline) => assert.match(outline, /3px/),
      );
    });

    await t.step("theme and width can be switched", async () => {
      const colour = () =>
        inner.locator("html").evaluate((root) => getComputedStyle(root).backgroundColor);
      await view.getByRole("button", { name: "Dark" }).click();
      await inner.locator('html[data-theme="dark"] .rf-hint').waitFor();
      const dark = await colour();
      await view.getByRole("button", { name: "Light" }).click();
      await inner.locator('html[data-theme="light"] .rf-hint').waitFor();
      await comesTrue(colour, (light) => assert.notEqual(light, dark));
      await view.getByRole("button", { name: "Phone" }).click();
      const width = () => view.locator("#frame").evaluate((frame) => frame.clientWidth);
      await becomes(width, 375);
      await inner.locator(".rf-hint").waitFor();
      await view.getByRole("button", { name: "Tablet" }).click();
      await becomes(width, 768);
      await view.getByRole("button", { name: "Desktop" }).click();
      await becomes(width, 1280);
      await isAccessible(page.frames()[1]!);
    });

    await t.step(
      "another page or rune can be chosen by name, and an unknown name is an error",
      async () => {
        const choose = async (name: string) => {
          await view.locator("#name").fill(name);
          await view.locator("#name").press("Enter");
        };
        const listed = () =>
          view.locator(".pages li button").evaluateAll((all) =>
            all.map((one) => one.getAttribute("value"))
          );
        await comesTrue(listed, (found) => {
          assert.ok(found.includes("content/a.md") && found.includes("hint"), String(found));
        });
        await view.locator("#name").fill("ACCORD item");
        await becomes(listed, ["accordion-item"]);
        await view.locator("#name").fill("nothing is called so");
        await hasText(view.locator(".empty"), "No matching pages.");
        await choose("accordion");
        await inner.locator(".rf-accordion").waitFor();
        await hasText(view.locator("#message"), "Rendered with @refrakt-md/lumina: no findings.");
        await choose("content/b.md");
        await hasText(view.locator("#message.bad"), "No such page");
        await view.getByRole("button", { name: "Clear search" }).click();
        await view.locator('.pages button[value="content/a.md"]').click();
        await hint.waitFor();
        assert.equal(
          await view.locator('[aria-current="true"]').getAttribute("value"),
          "content/a.md",
        );
      },
    );

    await t.step("it follows the file while it is edited", async () => {
      const path = join(cwd, "content/a.md");
      Deno.writeTextFileSync(path, PAGE.replace("Good.", "Even better."));
      await inner.getByText("Even better.").waitFor();
      await hasText(view.locator("#message"), "Updated with @refrakt-md/lumina: 1 finding.");
      await hasText(view.locator("#outline"), "Even better.");
    });

    for (const [width, height] of [[1440, 900], [390, 844]] as const) {
      await t.step(`findings are in view at ${width} × ${height}, with their fix`, async () => {
        const text = PAGE.replace('type="check"', 'type="chek"');
        Deno.writeTextFileSync(join(cwd, "content/a.md"), text);
        const { page, view } = await open({ ...options, width, height });
        const findings = view.locator("#diagnostics > li");
        await becomes(() => findings.count(), 2);
        await hasText(findings.first(), /line 3.*Replace .chek. by .check./s);
        const bottom = () => findings.first().evaluate((one) => one.getBoundingClientRect().bottom);
        assert.ok(await bottom() <= height);
        await view.locator("#message a").click();
        const focused = () => page.frames()[1]!.evaluate("document.activeElement.id");
        await becomes(focused, "findings");
        await view.locator(".pages .mark.error").first().waitFor();
        await isAccessible(page.frames()[1]!);
      });
    }

    await t.step("a rune has its source, and the address says what is shown", async () => {
      const { page, view } = await open({
        ...options,
        input: { rune: "hint", mode: "dark", width: "phone" },
        ready: ".source",
      });
      const frame = page.frames()[1]!;
      await hasText(frame.locator("#theme [aria-pressed=true]"), "Dark");
      await hasText(frame.locator("#width [aria-pressed=true]"), "Phone");
      await view.locator(".source summary").click();
      await hasText(view.locator(".source pre"), "{% hint");
      await isAccessible(frame);
    });

    await t.step("axe finds nothing serious in the dark, at 320 pixels", async () => {
      const { page } = await open({ ...options, theme: "dark", width: 320, height: 640 });
      const frame = page.frames()[1]!;
      await hasText(frame.locator("#theme [aria-pressed=true]"), "Dark");
      await hasText(frame.locator("#width [aria-pressed=true]"), "Phone");
      await isAccessible(frame);
    });
  });
});

Deno.test("the preview of a project with several sites has a site menu", async () => {
  await withBrowser(copyExample("two-sites"), async (open) => {
    const { view } = await open({ tool: "refrakt_preview", ready: ".pages li button" });
    const sites = view.getByLabel("Site");
    assert.equal(await sites.inputValue(), "main");
    await view.locator('.pages button[value="main/index.md"]').waitFor();
    await sites.selectOption("blog");
    await view.locator('.pages button[value="blog/index.md"]').click();
    await hasText(view.locator("#message"), "Rendered with @refrakt-md/lumina");
  });
});
