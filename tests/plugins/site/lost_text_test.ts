/** Text that a rune drops without a word is a finding, and text that it moves or splits is not. */

import assert from "node:assert/strict";
import { callTool } from "../../support/calls.ts";
import { singleSite } from "./projects.ts";
import { asObject } from "../../../src/io/json.ts";
import { checkTool, listedFindings, previewTool, renderTool } from "./tools.ts";

interface Finding {
  line: number;
  column: number;
  code: string;
  severity: string;
  message: string;
}

const FEATURE = `---
title: Why
---

# Why

{% feature %}
## Reasons

- **Fast** — Static generation
{% /feature %}
`;

const lostIn = async (dir: string, source: string) => {
  const { diagnostics } = await callTool(dir, renderTool, { source }) as unknown as {
    diagnostics: Finding[];
  };
  return diagnostics.filter(({ code }) => code === "text-lost");
};

Deno.test("render, preview and check report lost text with its line, its words and the form that works", async () => {
  const dir = singleSite(undefined, {
    "content/index.md": FEATURE,
    "content/_partials/part.md": FEATURE.replace(/^---[^]*?---\n\n/, ""),
  });
  const [found, ...others] = await lostIn(dir, FEATURE);
  assert.deepEqual(others, []);
  assert.deepEqual([found!.line, found!.column, found!.severity], [10, 5, "warning"]);
  assert.match(found!.message, /Rune "feature" loses the text "Fast — Static generation"\./);
  assert.match(found!.message, /takes definitions as "- \*\*Title\*\*\\n\\n {2}Description"$/);
  const preview = await callTool(dir, previewTool, { path: "content/index.md" });
  assert.deepEqual(asObject(preview["preview"])["diagnostics"], [found]);
  const { groups } = await callTool(dir, checkTool, { code: "text-lost" });
  const lines = (groups as { findings: string[] }[])[0]!.findings;
  assert.deepEqual(lines.map((line) => line.split(" ")[0]), [
    "content/index.md:10:5",
    "content/_partials/part.md:6:5",
  ]);
});

Deno.test("text is lost although it also stands elsewhere, in the rune or on the page", async () => {
  const dir = singleSite({ local: { values: "./values.js" } }, {
    "content/index.md": "# Home\n",
    "values.js": `export const transform = { transform: (node) => {
      const texts = [...node.walk()].flatMap((each) => each.attributes.content ?? []);
      return { $$mdtype: "Tag", name: "p", attributes: {}, children: texts.map((text) => text.split(": ").at(-1)) };
    } };`,
  });
  const sources: readonly (readonly [source: string, line: number, words: string])[] = [
    [
      "# Fast\n\nNo code.\n\n{% feature %}\n## Why\n\n- **Fast** — No code.\n{% /feature %}\n",
      8,
      "Fast — No code.",
    ],
    // A part of a text, where the rune keeps only the rest.
    [
      "{% comparison %}\n## A\n- **Speed** — Fast\n\n## B\n- Speed — Fast\n{% /comparison %}\n",
      6,
      "Fast",
    ],
    [
      "# Yes\n\nThe one.\n\n{% codegroup %}\nYes\n{% /codegroup %}\n\nThe other.\n\nYes\n",
      6,
      "Yes",
    ],
    ["{% values %}\n- Our generous gap: 4px\n{% /values %}\n", 2, "Our generous gap"],
  ];
  for (const [source, line, words] of sources) {
    const found = await lostIn(dir, source);
    const places = found.map(({ line, message }) => [line, /text "(.*?)"/.exec(message)![1]]);
    assert.deepEqual(places, [[line, words]], source);
  }
});

Deno.test("text that runes split, move, reformat or read as an option is not lost", async () => {
  const dir = singleSite(undefined, { "content/index.md": "# Home\n" });
  const sources = {
    "emphasis within words": "A **bo**ld _w_ord, `code`, [a link](https://example.com) & more.",
    "a comment": "Text.\n\n<!-- never shown -->\n\n{# nor this #}\n",
    "a branch that is not taken":
      "{% if $frontmatter.missing %}\nNever.\n{% else /%}\nAlways.\n{% /if %}\n",
    "a template": '{% collection type="page" %}\nEach one\n{% /collection %}\n',
    "tags in code": "```md\n{% feature %}\n- **Not** — a feature\n{% /feature %}\n```\n",
    "a changelog":
      "{% changelog %}\n## v1.4.0 - June 16, 2026\n- Fixed: a leak\n{% /changelog %}\n",
    "tabs": "{% tabs %}\n## One\nFirst text.\n\n## Two\nSecond text.\n{% /tabs %}\n",
    "a table": "| Name | Value |\n| --- | --- |\n| Width | 16px |\n",
  };
  for (const [name, source] of Object.entries(sources)) {
    assert.deepEqual(await lostIn(dir, `# Page\n\n${source}`), [], name);
  }
});

Deno.test("of equal texts, the one in a rune is lost and not the code", async () => {
  const words = "graph TD\n  A[Customer order] --> B[Pack the goods]\n";
  const lost = await lostIn(
    singleSite(undefined, { "content/index.md": "# Home\n" }),
    `# D\n\n{% diagram %}\n${words}{% /diagram %}\n\n\`\`\`text\n${words}\`\`\`\n`,
  );
  assert.deepEqual(lost.map(({ line }) => line), [4]);
});

Deno.test("text that a rune does not take is one finding", async () => {
  const diagram = (words: string) => `# T\n\n{% diagram %}\n${words}\n{% /diagram %}\n`;
  const dir = singleSite(undefined, {
    "content/a.md": diagram("Words alone."),
    "content/b.md": diagram("```mermaid\ngraph TD\n```\n\nWords behind it."),
  });
  const all = await listedFindings(dir);
  assert.deepEqual(all.map((each) => each.replace(/^\S+ | Rune.*(?= \()/g, "")), [
    "content/b.md:8:1 (1 finding follows from it)",
    "content/a.md:3:4 (1 finding follows from it)",
  ]);
});
