import assert from "node:assert/strict";
import { requireParsable, tooHardToParse } from "../../src/io/markup_limits.ts";

const block = (name: string, most: number) => `a block with more than ${most} ${name}`;

Deno.test("slow Markdown is rejected with a reason, real files pass", () => {
  const cases: [string, string | undefined][] = [
    ["{% ref /%}\n\n".repeat(2000), undefined],
    ["{% ref /%}\n\n".repeat(2001), "more than 2000 tags"],
    ["{% a %}".repeat(81), block("open tags", 80)],
    ["{% a %}x{% /a %}".repeat(500), undefined],
    ["x {% a %}\n".repeat(81), block("open tags", 80)],
    // Text that only looks like an end tag closes nothing.
    ['{% a b="/%}" %}'.repeat(81), block("open tags", 80)],
    ['{% a b="{% /a %}" %}'.repeat(81), block("open tags", 80)],
    ["{% a %}{% / %}".repeat(81), block("open tags", 80)],
    ["{% a\r\r{% a".repeat(60), undefined],
    [
      `${"|a".repeat(300)}\n${"|-".repeat(300)}\n${"|x\n".repeat(1000)}`,
      block("table cells", 60_000),
    ],
    ["| a | b | c |\n".repeat(4000), undefined],
    [`${"some words\n".repeat(20)}\n`.repeat(1000), undefined],
  ];
  for (const [text, wanted] of cases) {
    assert.equal(tooHardToParse(text), wanted, JSON.stringify(text.slice(0, 60)));
    assert.equal(tooHardToParse(`# Title\n\n${text}\n\nMore.`), wanted);
  }
});

Deno.test("the rejection states the excess and how to fix it", () => {
  assert.throws(() => requireParsable("{% a %}".repeat(100)), {
    code: "VALIDATION_ERROR",
    message: "Markdown is too hard to parse: a block with more than 80 open tags",
    hint: "Split the text, or separate its blocks with blank lines.",
  });
  assert.throws(() => requireParsable("abcd", 3), { message: /more than 3 characters/ });
  requireParsable("abc", 3);
});
