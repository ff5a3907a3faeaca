/** Tests of the corrections that findings include. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { writeCorrected } from "../../../plugins/site/page_writes.ts";
import { findingsTool } from "../../../plugins/site/tools/check.ts";
import type { CorrectedPage } from "../../../plugins/site/engine/methods/other_texts.ts";
import { callTool } from "../../support/calls.ts";
import { project } from "./projects.ts";
import { checkTool } from "./tools.ts";

const correctedIn = async (dir: string): Promise<CorrectedPage[]> =>
  (await callTool(dir, findingsTool, { fix: "preview" })).corrected;

type Answer = Record<"groups" | "fixes", Record<string, unknown>[]>;

const check = (dir: string): Promise<Answer> => callTool(dir, checkTool, { path: "content" });

Deno.test("a finding includes its correction if it is unambiguous", async () => {
  const dir = project({ site: { contentDir: "./content" } }, {
    "content/a.md": `---
descripton: D
date: 2024-02-31
---

# A

{% hint type='note' %}
x
{% /hnit %}

{% hint type="wrning" %}
y
{% /hint %}

{% grid columns="2" %}
z
{% /grid %}

{% accordion multiple="true" %}
## Q

A
{% /accordion %}

[B](b.md) [B](/b#the-one)
`,
    "content/b.md": "# B\n\n## The — one\n",
  });
  const { fixes, groups } = await check(dir);
  assert.deepEqual(
    fixes.map(({ line, column, length, text }) => [line, column, length, text])
      .sort(([a, b], [c, d]) => Number(a) - Number(c) || Number(b) - Number(d)),
    [
      [8, 14, 6, '"note"'],
      [10, 5, 4, "hint"],
      [12, 14, 8, '"warning"'],
      [16, 17, 3, "2"],
      [20, 23, 6, "true"],
      [26, 5, 4, "/b"],
      [26, 18, 7, "the-—-one"],
    ],
  );
  assert.ok(groups.some(({ code }) => code === "date-invalid"));
});

Deno.test("a misspelt rune is corrected in its opening and its closing tag, or not at all", async () => {
  const cases: [source: string, corrected: string][] = [
    ["{% hnit %}\nx\n{% /hnit %}", "{% hint %}\nx\n{% /hint %}"],
    ['{% hnit type="note" %}\nx\n{% /hint %}', '{% hint type="note" %}\nx\n{% /hint %}'],
    ["{% hint %}\nx\n{% /hnit %}", "{% hint %}\nx\n{% /hint %}"],
    ["{% hnit %}\nx\n{% /hnt %}", "{% hint %}\nx\n{% /hint %}"],
    ['A {% icno name="star" /%} b', 'A {% icon name="star" /%} b'],
    [
      "{% hnit %}\n{% hnit %}\nx\n{% /hnit %}\n{% /hnit %}",
      "{% hint %}\n{% hint %}\nx\n{% /hint %}\n{% /hint %}",
    ],
    // Not one edit away from one name.
    ["{% hxxt %}\nx\n{% /hxxt %}", "{% hxxt %}\nx\n{% /hxxt %}"],
  ];
  const path = (index: number) => `content/page-${index}.md`;
  const files = cases.map(([source], index) => [path(index), `# Page\n\n${source}\n`]);
  const dir = project({ site: { contentDir: "./content" } }, Object.fromEntries(files));
  const { fixes } = await check(dir);
  assert.equal((fixes.find((fix) => fix["path"] === path(0))!["edits"] as unknown[]).length, 2);
  assert.deepEqual(writeCorrected(dir, [join(dir, "content")], await correctedIn(dir)).notes, []);
  for (const [index, [, corrected]] of cases.entries()) {
    assert.equal(Deno.readTextFileSync(join(dir, path(index))), `# Page\n\n${corrected}\n`);
  }
});

Deno.test("an editor that saves between the check and the fix, or during it, keeps its text", async () => {
  const [bad, good] = ['# A\n\n{% hint type="wrning" %}\nx\n{% /hint %}\n', /type="warning"/];
  const names = ["early", "late", "gone", "other", "quotes"];
  const dir = project({ site: { contentDir: "./content" } }, {
    ...Object.fromEntries(names.map((name) => [`content/${name}.md`, bad])),
    "content/quotes.md": '# A\n\n{% hint title=x type="wrning" %}\nx\n{% /hint %}\n',
  });
  const path = (name: string) => join(dir, `content/${name}.md`);
  const corrected = await correctedIn(dir);
  const saved = `# A\n\nThe sun set over the harbour, and it was saved.\n\n${bad}`;
  Deno.writeTextFileSync(path("early"), saved);
  Deno.removeSync(path("gone"));
  const { renameSync } = Deno;
  let notes: readonly string[] = [];
  try {
    Deno.renameSync = (from, to) => {
      // An editor that has the old file open.
      if (to === path("late")) Deno.writeTextFileSync(path("late"), saved);
      renameSync(from, to);
    };
    ({ notes } = writeCorrected(dir, [join(dir, "content")], corrected));
  } finally {
    Deno.renameSync = renameSync;
  }
  assert.deepEqual(notes.map((note) => /content.(\w+)/.exec(note)![1]).sort(), [
    "early",
    "gone",
    "late",
  ]);
  assert.equal(Deno.readTextFileSync(path("early")), saved);
  assert.equal(Deno.readTextFileSync(path("late")), saved);
  assert.match(Deno.readTextFileSync(path("other")), good);
  // The quotes move the other columns of their line, which the next round corrects.
  assert.match(Deno.readTextFileSync(path("quotes")), /title="x" type="warning"/);
});
