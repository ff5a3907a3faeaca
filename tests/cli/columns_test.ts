import assert from "node:assert/strict";
import { columns, wrap } from "../../src/cli/columns.ts";

Deno.test("columns() lines texts up, and goes on under them", () => {
  assert.equal(
    columns([["a", "one two three four five six seven"], ["long", "short"]], { width: 34 }),
    "  a     one two three four five\n        six seven\n  long  short\n",
  );
});

Deno.test("columns() puts the text below a name that is too long", () => {
  const name = "n".repeat(50);
  assert.equal(
    columns([[name, "text"]], { width: 60 }),
    `  ${name}\n${" ".repeat(2 + 32 + 2)}text\n`,
  );
});

Deno.test("columns() marks names without moving the text", () => {
  const plain = columns([["a", "x"], ["bcd", "y"]], { width: 60 });
  const marked = columns([["a", "x"], ["bcd", "y"]], { width: 60, paint: (name) => `<${name}>` });
  assert.equal(marked.replaceAll(/[<>]/g, ""), plain);
});

Deno.test("columns() of nothing is nothing", () => {
  assert.equal(columns([]), "");
});

Deno.test("wrap() breaks at spaces, and keeps a long word whole", () => {
  assert.deepEqual(wrap("aa bb cc", 5), ["aa bb", "cc"]);
  assert.deepEqual(wrap("a extraordinarily b", 5), ["a", "extraordinarily", "b"]);
});
