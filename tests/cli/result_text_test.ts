import assert from "node:assert/strict";
import { paintFor, resultText } from "../../src/cli/terminal.ts";

const plain = paintFor({ isTerminal: () => false });
const text = (result: Record<string, unknown>, width = 60) => resultText(result, width, plain);

Deno.test("the least important columns are dropped first, with a note", () => {
  const items = [{ id: "WORK-1", file: "f".repeat(60), title: "t".repeat(40), priority: "high" }];
  assert.equal(
    text({ items }, 61),
    `items\n  id      priority  title\n  WORK-1  high      ${"t".repeat(40)}\n` +
      "  (--json also prints file)\n",
  );
  assert.match(text({ items }, 50), /id {8}WORK-1\n {2}title {5}t+…\n {2}priority {2}high\n$/);
});

Deno.test("rows that fit no table are printed a value a line, with {id} replaced", () => {
  const groups = [
    {
      type: "no-milestone",
      severity: "warning",
      count: 9,
      message: "{id} has none",
      ids: ["A", "B"],
    },
    { type: "x", severity: "error", count: 1, message: `{id}: ${"long ".repeat(20)}`, ids: ["C"] },
  ];
  const out = text({ groups }, 80);
  assert.match(out, /type {6}no-milestone\n.*\n.*\n {2}message {3}has none\n/);
  assert.match(out, /ids {7}A, B and 7 more\n\n {2}type {6}x\n/);
  assert.match(out, /message {3}C: (?:long )+long\n {12}long/);
  assert.doesNotMatch(out, /\{id\}/);
});
