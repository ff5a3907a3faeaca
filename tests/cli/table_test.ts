import assert from "node:assert/strict";
import { resultText } from "../../src/cli/table.ts";
import { paintFor } from "../../src/cli/terminal.ts";

const plain = paintFor({ isTerminal: () => false });
const text = (result: Record<string, unknown>, width = 60) => resultText(result, width, plain);

Deno.test("values stand beside their names, lists of objects below as tables", () => {
  assert.equal(
    text({
      total: 2,
      items: [
        { id: "WORK-001", status: "ready", title: "First" },
        { id: "WORK-02", title: "Second", tags: ["a", "b"] },
      ],
    }),
    "total  2\n\nitems\n  id        status  title   tags\n" +
      "  WORK-001  ready   First\n  WORK-02           Second  a, b\n",
  );
});

Deno.test("a nested object is laid out below its name", () => {
  assert.equal(
    text({ counts: { errors: 1, warnings: 12 } }),
    "counts\n  errors    1\n  warnings  12\n",
  );
});

Deno.test("a text of several lines stands below its name", () => {
  assert.equal(text({ html: "<p>\n  x\n</p>\n" }), "html\n  <p>\n    x\n  </p>\n");
});

Deno.test("a table gives way in its widest column, and never grows beyond the line", () => {
  for (const width of [30, 50, 80]) {
    const out = text(
      { items: [{ id: "WORK-001", title: "t".repeat(200), note: "n".repeat(90) }] },
      width,
    );
    const longest = Math.max(...out.split("\n").map((line) => line.length));
    assert.ok(longest <= width, `${longest} > ${width}`);
    assert.match(out, /WORK-001 {2}t+…/);
  }
});

Deno.test("an empty list says so, and a very long one is cut with a word on how to get it", () => {
  assert.equal(text({ items: [] }), "items\n  none\n");
  const many = text({ items: Array.from({ length: 250 }, (_, id) => ({ id })) });
  assert.match(many, /… and 50 more; --json prints all\n$/);
});
