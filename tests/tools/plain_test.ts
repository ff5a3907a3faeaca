import assert from "node:assert/strict";
import { toPlain } from "../../src/tools/plain.ts";

Deno.test("toPlain() copies as JSON does", () => {
  const values = [
    { a: undefined, b: [undefined, () => 1, Symbol("s")], c: NaN, d: -0, e: new Date(0) },
    { f: { toJSON: () => ({ g: 1 }) }, h: null, i: new Map([[1, 2]]), j: Object("text") + "" },
    JSON.parse('{"__proto__":{"x":1},"constructor":2}'),
    [[], {}, "\ud800", "😀", true],
  ];
  for (const value of values) {
    assert.equal(JSON.stringify(toPlain(value)), JSON.stringify(value));
  }
  assert.equal(({} as Record<string, unknown>)["x"], undefined);
});

Deno.test("toPlain() copies what appears twice, and refuses what contains itself, in words", () => {
  const shared = { a: 1 };
  assert.deepEqual(toPlain([shared, shared]), [shared, shared]);
  const cycle: unknown[] = [];
  cycle.push({ cycle });
  let deep: unknown = 1;
  for (let level = 0; level < 10_000; level++) deep = [deep];
  const throwing = {
    get a(): never {
      throw new Error("a getter");
    },
  };
  for (const value of [cycle, { n: 1n }, deep, throwing]) {
    assert.throws(() => toPlain(value), {
      code: "TOOL_FAILED",
      message: /^The result is not JSON/,
    });
  }
});

Deno.test("toPlain() stops when it has too many characters", () => {
  const items = Array.from({ length: 1e5 }, () => "x".repeat(100));
  assert.throws(() => toPlain({ items }, 10_000), {
    code: "TOOL_FAILED",
    message: /more than 10000/,
  });
});
