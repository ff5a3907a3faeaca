import assert from "node:assert/strict";
import { type CutPart, cutToFit, jsonLength } from "../../src/tools/cut.ts";

function cut(value: unknown, budget: number) {
  const parts = new Map<string, CutPart>();
  return { ...cutToFit(value, budget, parts), parts: Object.fromEntries(parts) };
}

Deno.test("what fits is not touched, to the last character", () => {
  const value = { items: [1, 2, 3], note: "é" };
  assert.deepEqual(cut(value, jsonLength(value)), { head: value, rest: undefined, parts: {} });
  assert.notEqual(cut([1, 2, 3], jsonLength([1, 2, 3]) - 1).rest, undefined);
  assert.equal(jsonLength(undefined), 0);
});

Deno.test("a list keeps whole entries from the front, and the rest is the others", () => {
  const items = Array.from({ length: 50 }, (_, id) => ({ id, title: "x".repeat(20) }));
  const { head, rest, parts } = cut({ items, total: 50 }, 500);
  const [shown, left] = [head, rest] as { items: unknown[] }[];
  assert.ok(jsonLength(head) <= 500 && shown!.items.length > 5);
  assert.deepEqual([...shown!.items, ...left!.items], items);
  assert.deepEqual(parts, { items: { shown: shown!.items.length, total: 50 } });
});

Deno.test("a long text is cut at a line or at least between characters, and nothing of it is lost", () => {
  for (const text of ["A line of text.\n".repeat(100), "😀".repeat(500), '"\\\n'.repeat(500)]) {
    const { head, rest } = cut(text, 701);
    assert.equal(`${head}${rest}`, text);
    assert.ok(jsonLength(head) <= 701, text.slice(0, 4));
    assert.ok((head as string).isWellFormed() && (rest as string).isWellFormed(), text.slice(0, 4));
  }
});

Deno.test("a map keeps whole keys, a record all its short fields", () => {
  const map = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`key${n}`, "x".repeat(50)]));
  const { head, rest } = cut(map, 1000) as { head: object; rest: object };
  assert.ok(jsonLength(head) <= 1000);
  assert.deepEqual({ ...head, ...rest }, map);
  const record = cut({ body: "y".repeat(3000), id: "WORK-001" }, 800);
  assert.deepEqual(Object.keys(record.head as object), ["body", "id"]);
  assert.equal((record.head as { id: string }).id, "WORK-001");
});

Deno.test("a key that changes prototypes is a key like any other", () => {
  const value = JSON.parse(`{"__proto__": ${JSON.stringify("z".repeat(900))}, "a": "b"}`);
  const { head, rest } = cut(value, 500) as { head: object; rest: object };
  assert.ok(Object.hasOwn(head, "__proto__") && Object.hasOwn(rest, "__proto__"));
  assert.equal(Object.getPrototypeOf(head), Object.prototype);
});
