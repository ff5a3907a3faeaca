import assert from "node:assert/strict";
import { wordsOf } from "../../../../plugins/plan/queries/words.ts";

Deno.test("words are letters and digits of any script, in lower case, each once", () => {
  assert.deepEqual([...wordsOf("Zürich zürich, WORK-012! 日本 e\u0301te\u0301 𝒳")], [
    "zürich",
    "work",
    "012",
    "日本",
    "e\u0301te\u0301",
    "𝒳",
  ]);
  assert.deepEqual([...wordsOf(' -- {% %} "" \n')], []);
});

Deno.test("a word is cut where it is very long", () => {
  assert.deepEqual([...wordsOf(`${"a".repeat(100_000)} b`)].map(({ length }) => length), [48, 1]);
});
