import assert from "node:assert/strict";
import { join } from "node:path";
import { blanked, contentOf, read } from "../../../plugins/plan/entity/document.ts";
import { textSections, type TextTree } from "../../../plugins/plan/entity/text_tree.ts";
import { readTree } from "../../support/project.ts";
import { realPlan } from "../../support/real_plan.ts";

function treeOf(text: string): unknown {
  const source = `{% work id="WORK-001" %}\n\n# Title\n\n${text}\n\n{% /work %}\n`;
  return textSections(read(source))[0]!.text;
}

/** The text of a tree, with the ids of references, without spaces. */
function textOf(tree: TextTree): string {
  if (typeof tree === "string") return tree.replace(/\s+/g, "");
  return tree.name === "ref" ? tree.value ?? "" : (tree.children ?? []).map(textOf).join("");
}

const CASES: Record<string, [markdown: string, tree: TextTree[]]> = {
  "headings, emphasis, links and code": [
    "### Part\n\nSome *text* and [more](https://a.example/) [too][b] `x`.\n\n[b]: https://b.example/",
    [
      { name: "heading", value: "3", children: ["Part"] },
      {
        name: "p",
        children: [
          "Some ",
          { name: "em", children: ["text"] },
          " and ",
          { name: "a", value: "https://a.example/", children: ["more"] },
          " ",
          { name: "a", value: "https://b.example/", children: ["too"] },
          " ",
          { name: "code", children: ["x"] },
          ".",
        ],
      },
    ],
  ],
  "names of runes, ids of references": [
    '{% hint type="note" %}\nSee {% ref "ADR-001" /%} and {% xref "ADR-002" /%}.\n{% /hint %}',
    [{
      name: "rune",
      value: "hint",
      children: [{
        name: "p",
        children: [
          "See ",
          { name: "ref", value: "ADR-001" },
          " and ",
          { name: "ref", value: "ADR-002" },
          ".",
        ],
      }],
    }],
  ],
  "no comments": ["a <!-- hidden\nx --> b\n\n<!--\n- [ ] x\n-->", [{
    name: "p",
    children: ["a ", " b"],
  }]],
  "a tag that is not closed, and what follows": ["{% hint %}\n\n- a {% badge %}\n\nb", [
    { name: "rune", value: "hint" },
    { name: "ul", children: [{ name: "li", children: ["a ", { name: "rune", value: "badge" }] }] },
    { name: "p", children: ["b"] },
  ]],
  "neither criteria nor bare references": [
    '- [ ] One\n- [x] Two\n- {% ref "WORK-002" /%}\n- {% ref "ADR-001" /%} says why',
    [{
      name: "ul",
      children: [{ name: "li", children: [{ name: "ref", value: "ADR-001" }, " says why"] }],
    }],
  ],
};

for (const [name, [markdown, tree]] of Object.entries(CASES)) {
  Deno.test(`the text of an entity shows ${name}`, () => assert.deepEqual(treeOf(markdown), tree));
}

Deno.test("the board's panel has the sections of plan_get, with all of their text", () => {
  const cwd = realPlan();
  for (const [path, source] of Object.entries(readTree(join(cwd, "plan")))) {
    if (!path.endsWith(".md")) continue;
    const document = read(source);
    const { text, comments, entity } = document;
    const shown = textSections(document);
    assert.deepEqual(shown.map(({ name }) => name), entity?.sections.map(({ name }) => name) ?? []);
    const visible = blanked(blanked(text, comments), entity?.criteria ?? []);
    for (const [index, { name, content }] of entity?.sections.entries() ?? []) {
      const tree = shown[index]!.text.map(textOf).join("");
      let at = 0;
      // What is within tags and the targets of links is syntax.
      const plain = contentOf({ text: visible }, content)
        .replace(/^[ \t]*- \{% ref [^%]*%\}$/gm, "")
        .replace(/\{%[^%]*%\}|^[ >]*```.*$|\]\([^)]*\)|^ *\d+\. /gm, " ");
      for (const word of plain.match(/[\p{L}\p{N}]+/gu) ?? []) {
        const found = tree.indexOf(word, at);
        assert.notEqual(
          found,
          -1,
          `${path}: ${name} lacks ${word} after ${tree.slice(at - 40, at)}`,
        );
        at = found + word.length;
      }
    }
  }
});
