import assert from "node:assert/strict";
import { loadJsoncParser, parseJsonc } from "../../src/npm/jsonc.ts";

Deno.test("comments and trailing commas are read, and what is broken is refused at its place", async () => {
  await loadJsoncParser();
  assert.deepEqual(parseJsonc('// a\n{ "b": [1, /* c */ 2,], }'), { b: [1, 2] });
  assert.deepEqual(parseJsonc('{"a": "// no comment"}'), { a: "// no comment" });
  for (const text of ["", "{", '{"a": }', "{'a': 1}", '{"a": 1} trailing']) {
    assert.throws(() => parseJsonc(text), SyntaxError, text);
  }
  assert.throws(() => parseJsonc('{"a": nope}'), /offset 6/);
});
