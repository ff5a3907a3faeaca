import assert from "node:assert/strict";
import { join } from "node:path";
import { inProcess } from "../../support/in_process.ts";
import { coreSite, project } from "./projects.ts";

const DIR = project({
  site: { contentDir: "./content", routeRules: [{ pattern: "docs/**", layout: "docs" }] },
}, {
  "content/index.md": `---
title: Home
description: Start here
tags: [a, b]
---

Welcome to the [guide](docs/guide) and [again](/docs/guide/#top).

{% hint %}
One
{% /hint %}

{% callout type="warning" title=$frontmatter.title %}
Two {% ref "the GUIDE" /%}
{% /callout %}

\`\`\`md
{% hint %}
\`\`\`
`,
  "content/old.md": "---\nredirect: /docs/guide\ndraft: true\n---\n",
  "content/docs/guide.md": `---
layout: wide
---

# The guide

{% partial file="foot.md" /%}

{% hint %}
Three sheep
{% /hint %}
`,
  "content/docs/_layout.md":
    '{% layout %}\n{% region name="nav" %}\n{% nav %}\n- guide\n{% /nav %}\n{% /region %}\n{% /layout %}\n',
  "content/_partials/foot.md":
    "Foot ![mark](/mark.png)\n\n{% nav %}\n- [It](/docs/guide)\n{% /nav %}\n",
});

const GUIDE = "content/docs/guide.md";
const ALIASED = '{"type":"warning","title":"$frontmatter.title"}';

/** Statements about these pages, and their rows. */
const ROWS: readonly (readonly [sql: string, rows: unknown[][]])[] = [
  ["select path, url, title, kind, description, layout, draft, redirect, in_nav from pages", [
    ["content/index.md", "/", "Home", "page", "Start here", "default", 0, null, 0],
    ["content/old.md", "/old", null, "page", null, "default", 1, "/docs/guide", 0],
    ["content/_partials/foot.md", null, null, "partial", null, null, 0, null, null],
    ["content/docs/_layout.md", null, null, "layout", null, null, 0, null, null],
    [GUIDE, "/docs/guide", "The guide", "page", null, "wide", 0, null, 2],
  ]],
  ["select front->>'tags' from pages where url = '/'", [['["a","b"]']]],
  [
    "select path, line, rune, written, attributes, parent from uses where path not like '%/\\_%' escape '\\'",
    [
      ["content/index.md", 9, "hint", "hint", "{}", null],
      ["content/index.md", 13, "hint", "callout", ALIASED, null],
      ["content/index.md", 14, "xref", "ref", '{"primary":"the GUIDE"}', "hint"],
      [GUIDE, 7, "partial", "partial", '{"file":"foot.md"}', null],
      [GUIDE, 9, "hint", "hint", "{}", null],
    ],
  ],
  ["select text from links where text is not null", [["guide"], ["again"], ["It"]]],
  ["select path, line, kind, target, to_path from links", [
    ["content/index.md", 7, "link", "docs/guide", GUIDE],
    ["content/index.md", 7, "link", "/docs/guide/#top", GUIDE],
    ["content/index.md", 14, "ref", "the GUIDE", GUIDE],
    ["content/old.md", 2, "redirect", "/docs/guide", GUIDE],
    ["content/_partials/foot.md", 1, "image", "/mark.png", null],
    ["content/_partials/foot.md", 4, "link", "/docs/guide", GUIDE],
    ["content/docs/_layout.md", 4, "nav", "guide", GUIDE],
    [GUIDE, 7, "partial", "foot.md", "content/_partials/foot.md"],
  ]],
  ["select path, line, level, text, rune from headings", [[GUIDE, 5, 1, "The guide", null]]],
  ["select path, line, target, alt from images", [
    ["content/_partials/foot.md", 1, "/mark.png", "mark"],
  ]],
  ["select layout, line, entry, path from nav", [
    ["content/_partials/foot.md", 4, "/docs/guide", GUIDE],
    ["content/docs/_layout.md", 4, "guide", GUIDE],
  ]],
  ["select value, uses, known from attribute_values where rune = 'hint' order by value", [
    ["$frontmatter.title", 1, null],
    ["caution", 0, 1],
    ["check", 0, 1],
    ["note", 0, 1],
    ["warning", 1, 1],
  ]],
  ["select n, text, in_code from lines where path = 'content/index.md' and in_code", [
    [17, "```md", 1],
    [18, "{% hint %}", 1],
    [19, "```", 1],
  ]],
  ["select code, text from findings where path like '%foot.md'", [
    ["image-missing", "Foot ![mark](/mark.png)"],
  ]],
  ["select name, package, parent from runes where name in ('hint', 'tab')", [
    ["hint", "@refrakt-md/runes", null],
    ["tab", "@refrakt-md/runes", "tabs"],
  ]],
  ["select distinct site from pages", [["main"]]],
];

Deno.test("the tables of pages have every page, rune, link and heading", async () => {
  await inProcess(DIR, async ({ ok }) => {
    for (const [sql, rows] of ROWS) {
      assert.deepEqual((await ok("refrakt_query", { sql })).rows, rows, sql);
    }
    const sql = "select meaning from tables where name = 'findings' and column = 'code'";
    const [[codes]] = (await ok("refrakt_query", { sql })).rows;
    assert.match(codes, /image-alt, heading-second, heading-jump/);
  });
});

Deno.test("the tables of pages follow the files", async () => {
  await inProcess(DIR, async ({ ok }) => {
    const sql = "select (select count(*) from uses), (select count(*) from pages), " +
      "(select count(*) from links where to_path is null and kind = 'link')";
    const [[uses, pages]] = (await ok("refrakt_query", { sql })).rows;
    const path = join(DIR, "content/new.md");
    await Deno.writeTextFile(path, "# New\n\n{% hint %}[x](/nowhere){% /hint %}\n");
    assert.deepEqual((await ok("refrakt_query", { sql })).rows, [[uses + 1, pages + 1, 1]]);
    await Deno.writeTextFile(path, "# New\n\n[x](/)\n");
    assert.deepEqual((await ok("refrakt_query", { sql })).rows, [[uses, pages + 1, 0]]);
    await Deno.remove(path);
    assert.deepEqual((await ok("refrakt_query", { sql })).rows, [[uses, pages, 0]]);
  });
});

Deno.test("headings are those that a page shows, with their rune; a finding's text is its line, at most 200 characters", async () => {
  const image = `  ![](https://example.com/a.png) ${"word ".repeat(60)}`;
  const page = "# One\n\n{% hint %}\n### In it\n{% /hint %}\n\n" +
    "{% tabs %}\n## A tab\n\nText\n\n## Another\n\nText\n{% /tabs %}\n";
  const files = { "content/index.md": page, "content/b.md": `# One\r\n\r\n${image}\r\n` };
  await inProcess(coreSite({}, files), async ({ ok }) => {
    const rows = async (sql: string) => (await ok("refrakt_query", { sql })).rows;
    assert.deepEqual(
      await rows("select line, level, text, rune from headings where path like '%index.md'"),
      [[1, 1, "One", null], [4, 3, "In it", "hint"]],
    );
    const [[line, text]] = await rows(
      "select line, text from findings where code = 'image-alt'",
    );
    assert.equal(line, 3);
    assert.ok(text.length <= 200 && text.endsWith("…"), text);
    assert.ok(image.startsWith(text.slice(0, -1)), text);
  });
});
