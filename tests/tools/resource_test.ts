import assert from "node:assert/strict";
import { bodyText } from "../../src/tools/resource.ts";

Deno.test("a body is text as it is, data as JSON, bytes as base64", () => {
  assert.equal(bodyText({ text: "a\n" }, 2), "a\n");
  assert.equal(bodyText({ data: { a: [1] } }), '{"a":[1]}');
  assert.equal(bodyText({ data: { a: 1 } }, 2), '{\n  "a": 1\n}');
  assert.equal(bodyText({ blob: new Uint8Array([0, 255, 16]) }), "AP8Q");
});
