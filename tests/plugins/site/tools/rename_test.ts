/** `refrakt_rename`: another name for a rune, an attribute or a value, in tags alone. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { callTool, errorOf } from "../../../support/calls.ts";
import { inProcess } from "../../../support/in_process.ts";
import { coreSite } from "../projects.ts";
import { renameTool } from "../tools.ts";

const PAGE = `---
title: The hint
hint: hint
---

# The hint

{% hint type="note" %}
A hint, \`{% hint %}\` in code and {% badge type="note" /%} in a line.
{% hint title="hint" %}
Inner.
{% /hint %}
{% /hint %}

{% callout type="note" %}Short{% /callout %} and {% hint %}two{% /hint %} {% hint %}x{% /hint %}

\`\`\`
{% hint type="note" %}
{% /hint %}
\`\`\`
`;

function site() {
  const cwd = coreSite({ runes: { aliases: { aside: "hint" } } }, {
    "content/index.md": PAGE,
    "content/mark.md": '\uFEFF# M\r\n\r\n{% hint\r\n   type="note" %}\r\nx\r\n{%/hint%}\r\n',
    "content/_partials/p.md": '{% aside type="note" %}\nOf all.\n{% /aside %}\n',
    "content/uses.md": '# Uses\n\n{% partial file="p.md" /%}\n',
    "content/other.md": "# Other\n\nNo tag: hint, {% if $page.draft %}draft{% /if %}.\n",
  });
  const read = (path: string) =>
    new TextDecoder("utf-8", { ignoreBOM: true })
      .decode(Deno.readFileSync(join(cwd, "content", path)));
  return { cwd, read };
}

Deno.test("refrakt_rename gives a rune another name, with its aliases, and proves that pages stay the same", async () => {
  const { cwd, read } = site();
  const input = { kind: "rune", from: "hint", to: "callout" };
  const preview = await callTool(cwd, renameTool, { ...input, preview: true });
  assert.equal(read("index.md"), PAGE);
  const { findings, ...facts } = await callTool(cwd, renameTool, input);
  assert.deepEqual({ ...preview, renamed: true }, { findings, ...facts });
  assert.deepEqual(facts, {
    renamed: true,
    uses: 6,
    pages: 3,
    names: { hint: 5, aside: 1 },
    equal: 4,
  });
  const { before, after } = findings as Record<string, number>;
  assert.equal(before, after);
  const [tags, code] = PAGE.split("\n\n```");
  const changed = tags!.replace(/\{% (\/?)hint(?!.*`)/g, "{% $1callout");
  assert.equal(read("index.md"), `${changed}\n\n\`\`\`${code}`);
  assert.match(read("index.md"), /`\{% hint %\}` in code.*\n\{% callout title="hint"/);
  assert.equal(
    read("mark.md"),
    '\uFEFF# M\r\n\r\n{% callout\r\n   type="note" %}\r\nx\r\n{%/callout%}\r\n',
  );
  assert.match(read("_partials/p.md"), /^\{% callout type="note" %\}\n.*\n\{% \/callout %\}\n$/);
});

Deno.test("refrakt_rename of an alias, an attribute or a value takes these alone, and says what differs", async () => {
  const { cwd, read } = site();
  const rename = (input: Record<string, unknown>) => callTool(cwd, renameTool, input);
  assert.deepEqual((await rename({ kind: "rune", from: "aside", to: "hint" }))["names"], {
    aside: 1,
  });
  const value = { kind: "value", from: "note", to: "warning", rune: "hint", attribute: "type" };
  const { uses, differ, equal } = await rename({
    ...value,
    except: ["content/mark.md", "content/_partials"],
  });
  assert.deepEqual([uses, equal], [2, 0]);
  assert.deepEqual(differ, ['content/index.md: "note" becomes "warning"']);
  assert.match(read("index.md"), /\{% badge type="note" \/%\}/);
  assert.match(read("mark.md"), /type="note"/);
  const attribute = {
    kind: "attribute",
    from: "type",
    to: "sort",
    rune: "hint",
    path: "content/mark.md",
  };
  const { names, added } = await rename(attribute);
  assert.deepEqual([names, added], [{ note: 1 }, ["content/mark.md:4 attribute-unknown"]]);
  assert.match(read("mark.md"), /\{% hint\r\n {3}sort="note" %\}/);
});

Deno.test("refrakt_rename changes nothing where a page cannot be renamed with certainty", async () => {
  const { cwd, read } = site();
  const open = '# Open\n\n{% hint title="hint" %}\nNot closed.\n';
  const both = '# Both\n\n{% hint title="a" type="note" %}\nx\n{% /hint %}\n';
  Deno.writeTextFileSync(join(cwd, "content/open.md"), open);
  Deno.writeTextFileSync(join(cwd, "content/zoth.md"), both);
  const rename = (input: Record<string, unknown>) => callTool(cwd, renameTool, input);
  const rune = { kind: "rune", from: "hint", to: "callout" };
  const { code, message, hint } = await errorOf(rename(rune));
  assert.deepEqual([code, message], [
    "INVALID_ARGS",
    '"content/open.md" line 3 cannot be renamed with certainty, so nothing was changed',
  ]);
  assert.match(hint!, /"except": \["content\/open\.md"\]/);
  const taken = await errorOf(
    rename({ kind: "attribute", from: "type", to: "title", rune: "hint" }),
  );
  assert.match(taken.message, /^"content\/zoth\.md" line 3 cannot/);
  assert.equal(read("index.md"), PAGE);
  assert.equal((await rename({ ...rune, except: ["content/open.md"] }))["renamed"], true);
  // What was found in the tag that keeps its name is not new.
  const value = { kind: "value", from: "hint", to: "x", path: "content/open.md" };
  const { findings, added } = await rename(value);
  assert.deepEqual([findings, added], [{ before: 2, after: 2 }, undefined]);
  for (
    const [input, expected, advice = /./] of [
      [{ ...rune, from: "hnit" }, /Unknown rune "hnit"/],
      [{ kind: "attribute", from: "tpye", to: "x" }, /Unknown attribute "tpye"/, /"type"/],
      [{ ...value, from: "warnig" }, /Unknown value "warnig"/, /"warning"/],
      [{ ...value, attribute: "tpye" }, /Unknown attribute "tpye"/, /"type"/],
      [
        { ...value, from: "zzz", rune: "hint", attribute: "type" },
        /Unknown value "zzz"/,
        /^These tags have "\w+", /,
      ],
      // No use of it has an attribute.
      [{ ...value, from: "zzz", rune: "table" }, /Unknown value "zzz"/, /none/],
      [{ ...rune, to: "hint" }, /has this name already/],
      [{ ...rune, to: "a b" }, /No rune can have this name/],
    ] as const
  ) {
    const { message, hint } = await errorOf(rename(input));
    assert.match(message, expected);
    assert.match(hint!, advice);
  }
});

Deno.test("refrakt_undo takes a rename back", async () => {
  const { cwd, read } = site();
  await inProcess(cwd, async ({ ok }) => {
    const { undo } = await ok("refrakt_rename", { kind: "rune", from: "hint", to: "callout" });
    assert.notEqual(read("index.md"), PAGE);
    await ok("refrakt_undo", { token: undo });
  });
  assert.equal(read("index.md"), PAGE);
  assert.match(read("_partials/p.md"), /^\{% aside/);
});

Deno.test("refrakt_rename finds tags wherever Markdoc reads them, and values of any kind", async () => {
  const text = `# All

- {% icon name="note" /%} in a list
  {% hint
     type="note"
     title="a %} b" %}
  > Quoted.
  {% /hint %}

> {% icon name="note" /%} {% if $frontmatter.draft %}{% icon name="note" /%}{% /if %}

{% table %}
- A {% icon name="note" /%}
- \`{% icon name="note" /%}\`
{% /table %}

{% ref "note" /%} {% hint type=["note"] %}x{% /hint %} {% hint type=$note %}x{% /hint %}
`;
  const cwd = coreSite({}, { "content/index.md": text });
  const read = () => Deno.readTextFileSync(join(cwd, "content/index.md"));
  const icon = { kind: "rune", from: "icon", to: "glyph" };
  assert.equal((await callTool(cwd, renameTool, icon))["uses"], 4);
  assert.equal(read(), text.replace(/\{% icon(?!.*`)/g, "{% glyph"));
  const value = { kind: "value", from: "note", to: 'a "b"' };
  assert.deepEqual((await callTool(cwd, renameTool, value))["names"], {
    name: 4,
    type: 1,
    primary: 1,
  });
  assert.match(read(), /\{% ref "a \\"b\\"" \/%\} \{% hint type=\["note"\] %\}/);
  const attribute = { kind: "attribute", from: "type", to: "sort", preview: true };
  assert.deepEqual((await callTool(cwd, renameTool, attribute))["names"], {
    'a "b"': 1,
    '["note"]': 1,
    "$note": 1,
  });
});
