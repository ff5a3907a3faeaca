import assert from "node:assert/strict";
import { RefraktError } from "../../src/errors.ts";
import { requireParsable } from "../../src/markdoc/markup_limits.ts";

function tooHardToParse(...args: Parameters<typeof requireParsable>): string | undefined {
  try {
    requireParsable(...args);
    return undefined;
  } catch (error) {
    assert.ok(error instanceof RefraktError && error.hint?.startsWith("Split the text"));
    return error.message.replace("Markdown is too hard to parse: ", "");
  }
}

const definitions = (sum: string) =>
  `${sum} lines to the end of the paragraph, summed over definitions of links, at most 1,000,000`;
const emphasis = (count: string) => `${count} levels of emphasis in a paragraph, at most 500`;
const open = (count: number) => `${count} open tags in a paragraph, at most 95`;

Deno.test("a text with too much markup is rejected with count and limit, others pass", () => {
  const cases: [string, string | undefined][] = [
    ["{% ref /%}\n\n".repeat(2000), undefined],
    ["{% ref /%}\n\n".repeat(2001), "2,001 tags, at most 2,000"],
    ["{% a %}".repeat(96), open(96)],
    ["{% a %}x{% /a %}".repeat(500), undefined],
    ["x {% a %}\n".repeat(96), open(96)],
    // A tag on a line of its own ends the paragraph, if it is not indented.
    ["{% a %}\n".repeat(500), undefined],
    ["    {% a %}\n".repeat(96), open(96)],
    // A line with other spaces is not blank.
    ["x {% a %}\n\u00a0\n".repeat(96), open(96)],
    ["x {% a %}\n\u2028\n".repeat(96), open(96)],
    ["x {% a %}\n \t\n".repeat(96), undefined],
    // Each is within those before it.
    ["x {% a %}\n\n".repeat(200), undefined],
    ["x {% a %}\n\n".repeat(201), "201 open tags in all paragraphs, at most 200"],
    ["x {% a %}y{% /a %}\n\n".repeat(501), undefined],
    ["## x {% #a %}\n\n{% $b %} {% c() %} {% d=1 %} {% .e %}\n\n".repeat(300), undefined],
    ["[a]: /b\n\u00a0\n".repeat(1500), definitions("2,248,500")],
    [`${"**".repeat(250)}a${"**".repeat(250)}`, undefined],
    [`${"**".repeat(501)}a${"**".repeat(501)}`, emphasis("501")],
    [`${"*a ".repeat(501)}${"a* ".repeat(501)}`, emphasis("501")],
    [`${"~~a _b\n".repeat(300)}\u00a0\n${"b_ a~~\n".repeat(300)}`, emphasis("600")],
    // Emphasis does not leave its item, and an underscore within a word is text.
    ["- **a** _b_\n".repeat(2000), undefined],
    ["some_long_name ".repeat(2000), undefined],
    // Text that only looks like an end tag closes nothing.
    ['x{% a b="/%}" %}'.repeat(96), open(96)],
    ['x{% a b="{% /a %}" %}'.repeat(96), open(96)],
    ["{% a %}{% / %}".repeat(96), open(192)],
    // Code between backquotes has no tags, but not every backquote opens code.
    [`\`\` ${"{% a %}".repeat(96)} \`\``, undefined],
    [`\`\` ${"{% a %}".repeat(96)} \``, open(96)],
    [`\\\` ${"{% a %}".repeat(96)} \``, open(96)],
    [`[x](\`) ${"{% a %}".repeat(96)} \``, open(96)],
    [`<a:\`> ${"{% a %}".repeat(96)} \``, open(96)],
    [`{% a b="\`" %} ${"{% a %}".repeat(95)} \``, open(96)],
    ["```\n".repeat(2001), "2,001 fences, at most 2,000"],
    ["> - ```\n".repeat(2001), "2,001 fences, at most 2,000"],
    ["[a](/b) ".repeat(2000), undefined],
    ["[a](/b) ".repeat(12_345), "12,345 brackets, at most 10,000"],
    ["[a]: /b\n".repeat(1400), undefined],
    ["[a]: /b\n".repeat(2100), definitions("2,203,950")],
    ["[a]: /b\n".repeat(500) + "c\n".repeat(2000), definitions("1,124,750")],
    ["[a\\]: b]: /b\n".repeat(2100), definitions("2,203,950")],
    ["[a]: /b\n\n".repeat(2100), undefined],
    // These begin no definition.
    ["- [ ] one\n".repeat(2100), undefined],
    ["[a](/b)\n".repeat(2100), undefined],
    ["<!-- ".repeat(2001), "2,001 comments, at most 2,000"],
    ["# a\n".repeat(2001), "2,001 headings, at most 2,000"],
    ["- a\n".repeat(5001), "5,001 list items, at most 5,000"],
    [`${">".repeat(51)} a`, "51 levels of lists and quotations in a line, at most 50"],
    [`${"- ".repeat(51)} a`, "51 levels of lists and quotations in a line, at most 50"],
    [`{% a b=${"[".repeat(51)} %}`, "51 levels of brackets in a tag, at most 50"],
    [`{% a b="${"[".repeat(51)}" %}`, undefined],
    [`{% a ${"b=1 ".repeat(2001)}/%}`, "2,001 attributes in a tag, at most 2,000"],
    ["*a ".repeat(20_001), "20,001 marks of emphasis, code and HTML, at most 20,000"],
    ["a\n".repeat(30_000), "30,001 lines, at most 20,000"],
    ["a".repeat(600_000), "600,000 characters, at most 524,288"],
    ["|a|\n|-|\n", undefined],
    ["| a | b | c |\n".repeat(4000), undefined],
    ["# Title\n\nSome words.\n\n- [ ] one\n", undefined],
  ];
  for (const [text, wanted] of cases) {
    assert.equal(tooHardToParse(text.trimEnd()), wanted?.replace("30,001", "30,000"), text);
  }
});

Deno.test("each row of a table counts with all columns, which the parser adds", () => {
  const table = `${"|a".repeat(300)}\n${"|-".repeat(300)}\n${"|x\n".repeat(1000)}`;
  assert.match(tooHardToParse(table)!, /^301,\d+ table cells, at most 30,000$/);
});

Deno.test("open tags are searched up to the end of the text, but not in quadratic time", () => {
  const opened = `${'{% a "\n\n'.repeat(180)}${"words ".repeat(10_000)}`;
  assert.match(tooHardToParse(opened)!, /characters in tags, at most 500,000$/);
});

Deno.test("counting takes linear time", () => {
  const tags = ["{% ` ", "`{% a ", "{% a ", '{% a "', "{%\n", "%}"];
  const lines = ["- ", "-", "> ", "1. ", "|-", " "];
  const parts = [...tags, ...lines, "<`", "[", "[\\]", "`", '"', "\\"];
  for (const part of parts) {
    for (const end of ["", "a", "\n\n"]) {
      const start = performance.now();
      tooHardToParse(part.repeat(500_000 / part.length) + end);
      assert.ok(performance.now() - start < 180_000, part);
    }
  }
});

Deno.test("a parser tells where code is, whose tags are not open", () => {
  const code = "```\n" + "    {% a %}\n".repeat(200) + "```\n";
  assert.equal(tooHardToParse(code), open(200));
  assert.equal(tooHardToParse(code, () => []), undefined);
  assert.equal(tooHardToParse(code, () => ["{% a %}".repeat(97)]), open(97));
});
