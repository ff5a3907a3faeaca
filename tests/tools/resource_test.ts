import assert from "node:assert/strict";
import { textOf } from "../../src/tools/resource.ts";

Deno.test("a body is text as it is, data as JSON, bytes as base64", () => {
  assert.equal(textOf({ text: "a\n" }, 2), "a\n");
  assert.equal(textOf({ data: { a: [1] } }), '{"a":[1]}');
  assert.equal(textOf({ data: { a: 1 } }, 2), '{\n  "a": 1\n}');
  assert.equal(textOf({ blob: new Uint8Array([0, 255, 16]) }), "AP8Q");
});
