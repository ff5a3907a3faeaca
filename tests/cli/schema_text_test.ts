import assert from "node:assert/strict";
import { argumentsOf, typeText } from "../../src/cli/schema_text.ts";

Deno.test("typeText() says types in words", () => {
  assert.equal(typeText({ enum: ["a", "b"] }), "a | b");
  assert.equal(typeText({ type: "array", items: { type: "string" } }), "list of string");
  assert.equal(typeText({ type: ["string", "number"] }), "string or number");
  assert.equal(typeText({ anyOf: [{ type: "string" }, { type: "boolean" }] }), "string or boolean");
  assert.equal(typeText({ type: "boolean", default: false }), "boolean, default false");
});

Deno.test("argumentsOf() tells what is required", () => {
  const schema = {
    properties: { a: { type: "string", description: "A." }, b: {} },
    required: ["a"],
  };
  assert.deepEqual(argumentsOf(schema), [
    { name: "a", required: true, type: "string", description: "A." },
    { name: "b", required: false, type: "any", description: "" },
  ]);
});
