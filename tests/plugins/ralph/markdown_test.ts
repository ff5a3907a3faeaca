import assert from "node:assert/strict";
import { markdownLines, withoutCode } from "../../../plugins/ralph/markdown.ts";

/** One letter a line: prose, code, comment, front matter. */
function shape(text: string): string {
  const letters = { prose: "p", code: "c", comment: "x", "front matter": "f" };
  return markdownLines(text).kinds.map((kind) => letters[kind]).join("");
}

Deno.test("code, comments and front matter are told from prose, whatever the line ends", () => {
  const cases: [string, string][] = [
    ["# A\n~~~md\n# no\n~~~\nb", "pcccp"],
    ["````\n```\n````\nb", "cccp"],
    ["- item\n  ```sh\n  ls\n  ```\nb", "pcccp"],
    ["text ```inline``` text", "p"],
    ["---\ntitle: x\n---\nb", "fffp"],
    ["a\n---\nb\n---", "pppp"],
    ["---\nnever closed", "pp"],
    ["<!-- one line -->\nb", "xp"],
    ["<!--\n- [ ] 1.1 A\n-->\nb", "xxxp"],
    ["a <!-- from here\nto here -->\nb", "pxp"],
    ["`<!--` is a mark\nb", "pp"],
    ["~~~\n<!--\n~~~\nb", "cccp"],
    ["\uFEFF---\na: b\n---\nb", "fffp"],
  ];
  for (const [text, expected] of cases) {
    assert.equal(shape(text), expected, text);
    assert.equal(shape(text.replaceAll("\n", "\r\n")), expected, `CRLF: ${text}`);
  }
});

Deno.test("what is never closed hides nothing, and is reported", () => {
  for (const text of ["a\n```sh\nb", "a\n<!-- b\nc", "- item\n  ```sh\n- [ ] next item"]) {
    const { kinds, unclosed } = markdownLines(text);
    assert.ok(kinds.every((kind) => kind === "prose"), text);
    assert.equal(unclosed.length, 1, text);
  }
});

Deno.test("a text of a megabyte is read in one go, whatever it opens and never closes", () => {
  for (
    const text of [
      "- ```\n- [ ] a\n".repeat(70_000),
      "  - ```\n".repeat(120_000) + "- [ ] a",
      "- ```\n```` x\n".repeat(70_000),
      "<!-- a\n".repeat(140_000),
      `x${"`".repeat(500_001)}`,
      "`a``b```c ".repeat(100_000),
    ]
  ) {
    const { lines } = markdownLines(text);
    assert.equal(lines.length, text.split("\n").length);
  }
});

Deno.test("code spans are left out of a line, each from a mark to the next that is as long", () => {
  const cases: [string, string][] = [
    ["a `b` c", "a  c"],
    ["a ``b`c`` d `e`", "a  d "],
    ["a `b", "a `b"],
    ["``` a ` b ` c", "``` a  c"],
    ["`a``b`", ""],
  ];
  for (const [line, expected] of cases) assert.equal(withoutCode(line), expected, line);
});
