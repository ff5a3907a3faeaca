/** What `view preview` shows of pages and runes. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { openProject } from "../../../../src/host/open_project.ts";
import { callContext, callTool, errorOf, plain } from "../../../support/calls.ts";
import { coreSite, LUMINA } from "../projects.ts";
import { previewTool, renderTool } from "../tools.ts";

const PAGE =
  '---\ntitle: T\n---\n\n# T\n\n{% hint type="check" %}\nGood.\n{% /hint %}\n\n{% nope /%}\n';

// deno-lint-ignore no-explicit-any -- an answer as a view sees it
async function show(dir: string, input: Record<string, unknown>): Promise<any> {
  const context = callContext(openProject(dir));
  return plain(await previewTool.run(await previewTool.input.parse(input), context));
}

Deno.test("the preview of a page is its rendering with its theme's style sheets", async () => {
  const dir = coreSite({ theme: LUMINA }, { "content/a.md": PAGE });
  const { preview, document, sites, site } = await show(dir, { path: "a.md" });
  const rendered = await callTool(dir, renderTool, { path: "a.md", format: "html" });
  assert.deepEqual(
    [preview.kind, preview.title, preview.url, preview.theme, preview.path],
    ["page", "T", "/a", LUMINA, "content/a.md"],
  );
  assert.deepEqual([sites, site], [["main"], "main"]);
  assert.deepEqual(preview.diagnostics, rendered["diagnostics"]);
  assert.match(document.html, /rf-hint--check/);
  assert.equal(document.styles.length, 1);
  assert.match(document.styles[0], /^packages\/@refrakt-md\/lumina\/index\.css\?/);
  assert.ok(document.css.length < 20_000, "the theme's own CSS is in its files");
});

Deno.test("images and media of a page have the addresses of their files, and those of other servers are named", async () => {
  const dir = coreSite({ theme: LUMINA }, {
    "content/docs/a.md":
      "# A\n\n![near](./b.png) ![root](/c%20d.png) ![far](https://x.invalid/e.png)\n" +
      "![none](missing.png)\n",
    "content/docs/b.png": "b",
    "static/c d.png": "c",
  });
  const { preview, document } = await show(dir, { path: "content/docs/a.md" });
  const addresses = [...document.html.matchAll(/ src="([^"]*)"/g)].map(([, address]) => address);
  assert.deepEqual(addresses, [
    "project/content/docs/b.png",
    "project/static/c%20d.png",
    "https://x.invalid/e.png",
    "missing.png",
  ]);
  assert.match(preview.leftOut.join(), /images and media of other servers: https:\/\/x\.invalid/);
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
  const { preview, document } = await show(dir, { path: "/notes/first" });
  assert.deepEqual(
    [preview.title, preview.url, preview.path],
    ["First", "/notes/first/", undefined],
  );
  const rendered = await callTool(dir, renderTool, { path: "/notes/first/", format: "text" });
  assert.equal(rendered["text"], "It is first");
  assert.deepEqual(document.links, { "/a": "content/a.md", "/notes/first/": "/notes/first/" });
  const error = await errorOf(show(dir, { path: "/notes/second/" }));
  assert.deepEqual([error.code, error.message], [
    "NOT_FOUND",
    'No page of the site: "/notes/second/"',
  ]);
});

Deno.test("the preview of a rune is its example; without a page or a rune it is the first page", async () => {
  const dir = coreSite({ theme: LUMINA }, {
    "content/b.md": "# B\n",
    "content/index.md": "# Home\n",
  });
  const { preview, document } = await show(dir, { rune: "callout" });
  assert.deepEqual([preview.kind, preview.title], ["rune", "hint"]);
  assert.match(document.html, /rf-hint/);
  const first = await show(dir, {});
  assert.equal(first.preview.path, "content/index.md");
  assert.deepEqual(first.preview.choices.pages, ["content/b.md", "content/index.md"]);
});

Deno.test("a theme of the project has its own style sheets, and a change of one changes their address; a theme without CSS is a difference from the site", async () => {
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
  const stylesOf = async () => (await show(styled, { path: "a.md" })).document.styles;
  const [before, ...others] = await stylesOf();
  assert.deepEqual(others, []);
  assert.match(before, /^project\/theme\/index\.css\?/);
  assert.deepEqual(await stylesOf(), [before]);
  Deno.writeTextFileSync(join(styled, "theme/more.css"), ".rf-hint { margin: 10px }\n");
  const [after] = await stylesOf();
  assert.match(after, /^project\/theme\/index\.css\?/);
  assert.notEqual(after, before);
  const bare = coreSite({ theme: "./theme/transform.js" }, files);
  const { preview, document } = await show(bare, { path: "a.md" });
  assert.deepEqual(document.styles, []);
  assert.match(preview.leftOut.join(), /has no CSS/);
});

Deno.test("a view that asks again gets what changed: its page, and other files that it shows", async () => {
  const dir = coreSite({ theme: LUMINA }, {
    "content/a.md": '# T\n\n{% partial file="p.md" /%}\n',
    "content/_partials/p.md": "One.\n",
  });
  let seen: string | undefined;
  const look = async (isView = true): Promise<string | undefined> => {
    const answer = await show(dir, { path: "a.md", ...(isView && seen ? { seen } : {}) });
    seen = answer.revision;
    return answer.document?.html;
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
