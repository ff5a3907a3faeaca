import assert from "node:assert/strict";
import { join } from "node:path";
import { openProject } from "../../src/project/project.ts";
import { PREVIEW_META, type PreviewAssets } from "../../src/site/preview.ts";
import { isContentResult } from "../../src/tools/result.ts";
import { callContext, callTool, errorOf } from "../support/calls.ts";
import { coreSite, LUMINA } from "./projects.ts";
import { previewTool, renderTool } from "./tools.ts";

const PAGE =
  '---\ntitle: T\n---\n\n# T\n\n{% hint type="check" %}\nGood.\n{% /hint %}\n\n{% nope /%}\n';

async function documentOf(dir: string, input: Record<string, unknown>) {
  const context = callContext(openProject(dir));
  const result = await previewTool.run({ ...input, assets: true }, context);
  assert.ok(isContentResult(result));
  const { document } = result._meta![PREVIEW_META] as PreviewAssets;
  assert.ok(document);
  return document;
}

Deno.test("the preview of a page is its rendering with the contract's element names, and the CSS for it", async () => {
  const dir = coreSite({ theme: LUMINA }, { "content/a.md": PAGE });
  const preview = await callTool(dir, previewTool, { path: "a.md" });
  const rendered = await callTool(dir, renderTool, { path: "a.md", format: "html" });
  assert.deepEqual(
    [preview["kind"], preview["title"], preview["url"], preview["theme"]],
    ["page", "T", "/a", LUMINA],
  );
  assert.equal(preview["html"], rendered["html"]);
  assert.deepEqual(preview["diagnostics"], rendered["diagnostics"]);
  assert.deepEqual(preview["elements"], [
    { selector: ".rf-hint", rune: "hint", name: "root" },
    { selector: ".rf-hint__header", rune: "hint", name: "header" },
  ]);
  assert.ok(JSON.stringify(preview).length < 6000);
  // A view also gets the CSS that the content needs, with ordered layers and without imports.
  const { css, html } = await documentOf(dir, { path: "a.md" });
  assert.ok(css.startsWith("@layer skeleton, skin;"));
  assert.match(css, /\.rf-hint__header/);
  assert.match(css, /--rf-color-/);
  assert.doesNotMatch(css, /@import|\.rf-recipe|\/\*/);
  assert.ok(css.length < 200_000);
  assert.match(html, /rf-hint--check/);
});

Deno.test("a page that a hook makes is previewed and rendered by its address", async () => {
  const route = {
    type: "note",
    url: "/notes/{id}/",
    title: "{title}",
    render: "# It is {% $item.id %}",
  };
  const dir = coreSite({ theme: LUMINA, entityRoutes: [route] }, {
    "content/a.md": `---\ntitle: First\ntype: note\nid: first\n---\n\n# First\n`,
  });
  const preview = await callTool(dir, previewTool, { path: "/notes/first" });
  assert.deepEqual(
    [preview["title"], preview["url"], preview["path"]],
    ["First", "/notes/first/", undefined],
  );
  const rendered = await callTool(dir, renderTool, { path: "/notes/first/", format: "text" });
  assert.equal(rendered["text"], "It is first");
  const { links } = await documentOf(dir, { path: "content/a.md" });
  assert.deepEqual(links, { "/a": "content/a.md", "/notes/first/": "/notes/first/" });
  const error = await errorOf(callTool(dir, previewTool, { path: "/notes/second/" }));
  assert.deepEqual([error.code, error.message], [
    "NOT_FOUND",
    'No page of the site: "/notes/second/"',
  ]);
});

Deno.test("the preview of a rune is its example with attributes", async () => {
  const dir = coreSite({ theme: LUMINA });
  const preview = await callTool(dir, previewTool, {
    rune: "callout",
    attributes: { type: "caution" },
  });
  assert.deepEqual([preview["kind"], preview["title"]], ["rune", "hint"]);
  assert.match(String(preview["outline"]), /\.rf-hint--caution/);
  const error = await errorOf(
    callTool(dir, previewTool, { rune: "hint", attributes: { tpe: "x" } }),
  );
  assert.equal(error.code, "INVALID_ARGS");
  assert.equal((await errorOf(callTool(dir, previewTool, {}))).code, "INVALID_ARGS");
});

Deno.test("a theme of the project has its own CSS; a theme without CSS is a warning", async () => {
  const files = {
    "content/a.md": PAGE,
    "theme/transform.js":
      `export const themeConfig = { prefix: "rf", tokenPrefix: "--rf", runes: {} };`,
    "theme/package.json": "{}",
  };
  const styled = coreSite({ theme: "./theme/transform.js" }, {
    ...files,
    "theme/index.css": "@import './more.css' screen;\n.rf-hint { color: red }\n",
    "theme/more.css": ".rf-hint { margin: 0 }\n.x { a: b }",
  });
  const { css } = await documentOf(styled, { source: PAGE, theme: "base" });
  assert.match(css, /@media screen \{\n\.rf-hint \{ margin: 0 \}/);
  assert.match((await documentOf(styled, { path: "a.md" })).css, /margin: 0/);
  Deno.writeTextFileSync(join(styled, "theme/more.css"), ".rf-hint { margin: 10px }\n");
  assert.match((await documentOf(styled, { path: "a.md" })).css, /margin: 10px/);
  const bare = coreSite({ theme: "./theme/transform.js" }, files);
  const preview = await callTool(bare, previewTool, { path: "a.md", theme: "base" });
  assert.equal(preview["cssLength"], 0);
  assert.match(String(preview["warnings"]), /has no CSS/);
});

Deno.test("a view that asks again gets what changed: its page, and other files that it shows", async () => {
  const dir = coreSite({ theme: LUMINA }, {
    "content/a.md": '# T\n\n{% partial file="p.md" /%}\n',
    "content/_partials/p.md": "One.\n",
  });
  let seen: string | undefined;
  const look = async (isView = true): Promise<string | undefined> => {
    const context = callContext(openProject(dir));
    const input = { path: "a.md", assets: true, ...(isView && seen ? { seen } : {}) };
    const result = await previewTool.run(input, context);
    assert.ok(isContentResult(result));
    const shown = result._meta![PREVIEW_META] as PreviewAssets;
    seen = shown.revision;
    return shown.document?.html;
  };
  assert.match(await look() ?? "", /One\./);
  assert.equal(await look(), undefined);
  Deno.writeTextFileSync(`${dir}/content/a.md`, '# Two\n\n{% partial file="p.md" /%}\n');
  assert.match(await look() ?? "", /Two/);
  assert.equal(await look(), undefined);
  Deno.writeTextFileSync(`${dir}/content/_partials/p.md`, "Three.\n");
  assert.match(await look(false) ?? "", /Three\./);
  Deno.writeTextFileSync(`${dir}/content/_partials/p.md`, "Four!\n");
  await new Promise((resolve) => setTimeout(resolve, 1600));
  assert.match(await look() ?? "", /Four!/);
});
