import assert from "node:assert/strict";
import { callTool, errorOf } from "../support/calls.ts";
import { project } from "./projects.ts";
import { pagesTool } from "./tools.ts";

interface Answer {
  total: number;
  uses?: number;
  items: (Record<string, unknown> & { path: string })[];
  groups: { key: string; count: number; uses?: number }[];
  nextCursor?: string;
}

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

{% callout %}
Two
{% /callout %}
`,
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
  "content/_partials/foot.md": "Foot ![mark](/mark.png)\n",
});

const ask = async (input: Record<string, unknown> = {}) =>
  await callTool(DIR, pagesTool, input) as unknown as Answer;
const paths = async (input: Record<string, unknown>) =>
  (await ask(input)).items.map(({ path }) => path);

Deno.test("pages are found by rune, with counts that include aliases", async () => {
  const { total, uses, items } = await ask({ rune: "hint" });
  assert.deepEqual([total, uses], [2, 3]);
  assert.deepEqual(items.map(({ path, uses }) => [path, uses]), [
    ["content/index.md", 2],
    ["content/docs/guide.md", 1],
  ]);
  assert.deepEqual(await paths({ rune: ["partial", "nav"] }), [
    "content/docs/_layout.md",
    "content/docs/guide.md",
  ]);
});

Deno.test("pages are found by missing field, layout and words", async () => {
  assert.deepEqual(await paths({ missing: "description" }), ["content/docs/guide.md"]);
  assert.deepEqual(await paths({ layout: ["wide"] }), ["content/docs/guide.md"]);
  const { items } = await ask({ text: "three SHEEP" });
  assert.deepEqual(items.map(({ path }) => path), ["content/docs/guide.md"]);
  assert.match(String(items[0]!["snippet"]), /Three sheep/);
});

Deno.test("pages are found by the page, partial or image that they link to", async () => {
  const { items } = await ask({ linksTo: "/docs/guide" });
  assert.deepEqual(items.map(({ path, url, kind, lines }) => [path, url, kind, lines]), [
    ["content/index.md", "/", undefined, [7, 7]],
    ["content/docs/_layout.md", undefined, "layout", [4]],
  ]);
  assert.deepEqual(
    await paths({ linksTo: "content/docs/guide.md" }),
    items.map(({ path }) => path),
  );
  assert.deepEqual(await paths({ linksTo: "foot.md" }), ["content/docs/guide.md"]);
  assert.deepEqual(await paths({ linksTo: "/mark.png" }), ["content/_partials/foot.md"]);
  assert.deepEqual(await paths({ linksTo: "/nowhere" }), []);
});

Deno.test("rows have the requested fields, are sorted and paginated", async () => {
  const fields = ["tags", "words", "runes", "headings", "linkedFrom", "partials", "layout"];
  const { items } = await ask({ fields, sort: "-words" });
  assert.deepEqual(items[0], {
    path: "content/index.md",
    url: "/",
    title: "Home",
    tags: ["a", "b"],
    words: 8,
    runes: { hint: 2 },
    headings: [],
    linkedFrom: [],
    partials: [],
    layout: "default",
  });
  assert.deepEqual(items[1]!["linkedFrom"], ["content/index.md", "content/docs/_layout.md"]);
  assert.deepEqual(items[1]!["headings"], [{ level: 1, text: "The guide", line: 5 }]);
  const first = await ask({ limit: 1 });
  assert.deepEqual([first.items.length, first.nextCursor], [1, "1"]);
  assert.equal((await ask({ limit: 1, cursor: "1" })).items.length, 1);
});

Deno.test("pages are counted by rune, layout, folder and front matter", async () => {
  assert.deepEqual((await ask({ groupBy: "rune" })).groups, [
    { key: "hint", count: 2, uses: 3 },
    { key: "partial", count: 1, uses: 1 },
  ]);
  assert.deepEqual((await ask({ groupBy: "layout" })).groups, [
    { key: "default", count: 1 },
    { key: "wide", count: 1 },
  ]);
  assert.deepEqual((await ask({ groupBy: "tags" })).groups, [
    { key: "a", count: 1 },
    { key: "b", count: 1 },
    { key: "none", count: 1 },
  ]);
});

Deno.test("unknown names are errors with the nearest names", async () => {
  for (
    const [input, code, hint] of [
      [{ rune: "hnt" }, "NOT_FOUND", /"hint"/],
      [{ layout: "wid" }, "NOT_FOUND", /wide/],
      [{ fields: ["descripton"] }, "INVALID_ARGS", /"description"/],
      [{ sort: "-wrods" }, "INVALID_ARGS", /words/],
      [{ groupBy: "nothing" }, "INVALID_ARGS", /folder/],
      [{ cursor: "x" }, "INVALID_ARGS", /nextCursor/],
    ] as const
  ) {
    const error = await errorOf(ask(input));
    assert.equal(error.code, code);
    assert.match(error.hint ?? "", hint);
  }
});
