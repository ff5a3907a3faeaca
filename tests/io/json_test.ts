import assert from "node:assert/strict";
import { asObject, fieldOf, isObject, isTextList, textOf, textsOf } from "../../src/io/json.ts";

Deno.test("object checks distinguish objects from arrays and null", () => {
  for (const value of [null, undefined, 1, "x", []]) {
    assert.deepEqual(asObject(value), {});
    assert.ok(!isObject(value));
  }
  assert.deepEqual(asObject({ a: 1 }), { a: 1 });
  assert.equal(fieldOf(Object.assign(new Error(), { code: "ENOENT" }), "code"), "ENOENT");
  assert.equal(fieldOf(Object.assign(() => {}, { a: 1 }), "a"), 1);
  assert.deepEqual(
    [null, undefined, "text", {}].map((value) => fieldOf(value, "length")),
    [undefined, undefined, undefined, undefined],
  );
});

Deno.test("string lists are read from unknown values", () => {
  assert.deepEqual([["a"], [], ["a", 1], "a"].map(isTextList), [true, true, false, false]);
  assert.deepEqual([textsOf(["a", 1, null]), textsOf("a")], [["a"], []]);
  assert.deepEqual([textOf("a"), textOf(1)], ["a", undefined]);
});
