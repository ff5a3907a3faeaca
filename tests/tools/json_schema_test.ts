import assert from "node:assert/strict";
import { defineSchema, type JsonSchema } from "../../src/tools/schema.ts";
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

Deno.test("a slow pattern times out, and the value is rejected", async () => {
  const schema = { properties: { a: { type: "string", pattern: "^(\\w+\\s?)*$" } } };
  assert.equal(await check(schema, { a: "some words" }), "");
  assert.match(await check(schema, { a: "some words!" }), /"a": String does not match pattern/);
  assert.match(await check(schema, { a: `${"a".repeat(60)}!` }), /takes too long to check/);
});
