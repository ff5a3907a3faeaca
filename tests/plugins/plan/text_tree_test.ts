import assert from "node:assert/strict";
import { entityTree } from "../../../plugins/plan/entity/text_tree.ts";

function treeOf(text: string): unknown {
  return entityTree(`{% work id="WORK-001" %}\n\n# Title\n\n${text}\n\n{% /work %}\n`, "work");
}

Deno.test("Markdown becomes headings, lists, emphasis, links and code", () => {
  assert.deepEqual(treeOf("## Part\n\nSome *text* and [more](https://a.example/) `x`."), [
    { name: "heading", value: "2", children: ["Part"] },
    {
      name: "p",
      children: [
        "Some ",
        { name: "em", children: ["text"] },
        " and ",
        { name: "a", value: "https://a.example/", children: ["more"] },
        " ",
        { name: "code", children: ["x"] },
        ".",
      ],
    },
  ]);
  assert.deepEqual(treeOf("1. one\n   - two"), [{
    name: "ol",
    children: [{
      name: "li",
      children: ["one", { name: "ul", children: [{ name: "li", children: ["two"] }] }],
    }],
  }]);
});

Deno.test("HTML becomes text, and tags within code stay unchanged", () => {
  assert.deepEqual(treeOf("<b>bold</b>"), [{ name: "p", children: ["<b>bold</b>"] }]);
  assert.deepEqual(treeOf('```ts\n{% work id="X" %}\n```'), [
    { name: "pre", value: "ts", children: ['{% work id="X" %}'] },
  ]);
});

Deno.test("runes keep their names, references their ids, images their alternative text", () => {
  assert.deepEqual(treeOf('{% hint type="note" %}\nSee {% ref "ADR-001" /%}.\n{% /hint %}'), [
    {
      name: "rune",
      value: "hint",
      children: [{ name: "p", children: ["See ", { name: "ref", value: "ADR-001" }, "."] }],
    },
  ]);
  assert.deepEqual(treeOf("![a cat](cat.png)"), [
    { name: "p", children: [{ name: "img", children: ["a cat"] }] },
  ]);
});

Deno.test("criteria and bare references, and sections of nothing else, are omitted", () => {
  const text = "## Acceptance Criteria\n\n- [ ] One\n- [x] Two\n\n" +
    '## Dependencies\n\n- {% ref "WORK-002" /%}\n\n## References\n\n- {% ref "ADR-001" /%} says why\n\n## Left';
  assert.deepEqual(treeOf(text), [
    { name: "heading", value: "2", children: ["References"] },
    {
      name: "ul",
      children: [{ name: "li", children: [{ name: "ref", value: "ADR-001" }, " says why"] }],
    },
    { name: "heading", value: "2", children: ["Left"] },
  ]);
});
