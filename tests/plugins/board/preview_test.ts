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
    const { view } = await open(options);
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

    await t.step("on a narrow dark screen, findings are in view, with their fix", async () => {
      const text = PAGE.replace('type="check"', 'type="chek"');
      Deno.writeTextFileSync(join(cwd, "content/a.md"), text);
      const size = { width: 320, height: 844 };
      const { page, view } = await open({ ...options, ...size, theme: "dark" });
      const frame = page.frames()[1]!;
      await hasText(frame.locator("#theme [aria-pressed=true]"), "Dark");
      await hasText(frame.locator("#width [aria-pressed=true]"), "Phone");
      const findings = view.locator("#diagnostics > li");
      await becomes(() => findings.count(), 2);
      await hasText(findings.first(), /line 3.*Replace .chek. by .check./s);
      const bottom = () => findings.first().evaluate((one) => one.getBoundingClientRect().bottom);
      assert.ok(await bottom() <= size.height);
      await view.locator("#message a").click();
      await becomes(() => frame.evaluate("document.activeElement.id"), "findings");
      await view.locator(".pages .mark.error").first().waitFor();
      await isAccessible(frame);
    });

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
