/** `refrakt_render { text }`: which blocks of a draft are not on the page. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { callTool } from "../../support/calls.ts";
import { coreSite } from "./projects.ts";
import { renderTool } from "./tools.ts";

const DRAFT = `---
title: Stations
---

# Stations

Two sensors measure the wind, 3 times a second.

- Mast: 10 m
- Mast: 10 m

\`\`\`sh
run --fast
\`\`\`

See [the guide](./guide.md) and [the map](https://example.com/map).

A last thought.
`;

const PAGE = `---
title: Stations
---

{% hint type="note" %}
Two **sensors** measure the wind, 3 times a second.
{% /hint %}

- Mast: 10 m

\`\`\`sh
run --slow
\`\`\`

See [the guide](guide.md) and [the map](https://example.org/map).
`;

Deno.test("refrakt_render { text } names the blocks of a text that the page lacks, and nothing else", async () => {
  const cwd = coreSite({}, {
    "content/page.md": PAGE,
    "content/guide.md": "# Guide\n\nText.\n",
    "drafts/stations.md": DRAFT,
  });
  const missing = async (text: string, path = "content/page.md") => {
    const { outline, missing } = await callTool(cwd, renderTool, { path, text });
    assert.equal(outline, undefined);
    return missing;
  };
  const expected = [
    { line: 10, text: "Mast: 10 m" },
    { line: 12, text: "run --fast" },
    { line: 16, text: "link to https://example.com/map" },
    { line: 18, text: "A last thought." },
  ];
  assert.deepEqual(await missing("drafts/stations.md"), expected);
  assert.deepEqual(await missing(DRAFT), expected);
  assert.deepEqual(await missing("content/page.md"), []);
  assert.deepEqual(await missing("Wind the sensors measure"), [
    { line: 1, text: "Wind the sensors measure" },
  ]);
  // What another generator writes around it is no text.
  const foreign = ":::info\nTwo sensors measure the wind, 3 times a second.\n:::\n\n" +
    '<Tabs>\n<TabItem value="x">\n\n{{< note >}}See the guide and the map{{< /note >}}\n\n' +
    '</TabItem>\n</Tabs>\n\n!!! danger "Lost title"\n';
  assert.deepEqual(await missing(foreign), [{ line: 13, text: '"Lost title"' }]);
  // The same address, not the same last name.
  const link = { line: 1, text: "link to /docs/guide.md" };
  assert.deepEqual(await missing("[the guide](/docs/guide.md)"), [link]);
  assert.deepEqual(await missing("[the guide](/guide)"), []);
  // What a condition shows, and fields of the front matter, are there; words of addresses are not.
  const own = "---\ntitle: Own\ndescription: All of it.\n---\n\n" +
    "{% if $frontmatter.title %}\nShown.\n{% else /%}\nHidden.\n{% /if %}\n\n[a](/example)\n";
  Deno.writeTextFileSync(join(cwd, "content/own.md"), own);
  assert.deepEqual(await missing(own, "content/own.md"), []);
  assert.deepEqual(await missing("All of it.", "content/own.md"), []);
  const word = { line: 1, text: "Example" };
  assert.deepEqual(await missing("Example", "content/own.md"), [word]);
  // A name outside the project is a text like any other.
  assert.deepEqual(await missing("../../etc/passwd"), [{ line: 1, text: "../../etc/passwd" }]);
});
