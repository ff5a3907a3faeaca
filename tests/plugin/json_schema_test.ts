import assert from "node:assert/strict";
import { defineSchema, type JsonSchema } from "../../src/plugin/schema.ts";
import { errorOf } from "../support/calls.ts";

const check = async (schema: JsonSchema, value: unknown): Promise<string> => {
  try {
    await defineSchema(schema).parse(value);
    return "";
  } catch {
    return (await errorOf(defineSchema(schema).parse(value))).message;
  }
};

const TEXT = { type: "string" };

Deno.test("non-objects, prototype names and endless nesting are rejected with messages", async () => {
  const schema = { properties: { constructor: TEXT, a: {} }, additionalProperties: false };
  assert.equal(await check(schema, undefined), "");
  assert.equal(await check(schema, { constructor: "x" }), "");
  for (const value of [1, "x", [], null, { constructor: 1 }, JSON.parse('{"__proto__":1}')]) {
    if (value !== null) assert.notEqual(await check(schema, value), "", JSON.stringify(value));
  }
  let deep: unknown = 1;
  for (let level = 0; level < 100_000; level++) deep = [deep];
  assert.match(await check(schema, { a: deep }), /nested too deeply/);
});

Deno.test("patterns take linear time, and the message has them", async () => {
  const schema = { properties: { a: { type: "string", pattern: "^(\\w+\\s?)*$" } } };
  assert.equal(await check(schema, { a: "some words" }), "");
  for (const text of ["some words!", `${"a".repeat(60)}!`, `${"a".repeat(100_000)}!`]) {
    assert.match(
      await check(schema, { a: text }),
      /"a": String does not match pattern "\^\(\\\\w\+\\\\s\?\)\*\$"/,
    );
  }
  const nested = {
    $defs: { name: { type: "string", pattern: "^\\p{L}+$", allOf: [{ minLength: 2 }] } },
    properties: { a: { type: "array", items: { $ref: "#/$defs/name" } } },
  };
  assert.equal(await check(nested, { a: ["né", "ab"] }), "");
  for (const text of ["a", "a1"]) assert.notEqual(await check(nested, { a: [text] }), "");
  const large = { properties: { a: { type: "string", pattern: "x{0,2000}" } } };
  assert.match(await check(large, { a: "x" }), /cannot be checked: invalid repeat count/);
});
