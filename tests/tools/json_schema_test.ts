import assert from "node:assert/strict";
import { openProject } from "../../src/project/project.ts";
import { buildToolset } from "../../src/tools/registry.ts";
import { defineSchema, type JsonSchema } from "../../src/tools/schema.ts";
import { defineTool } from "../../src/tools/tool.ts";
import { errorOf } from "../support/calls.ts";
import { makeProject } from "../support/project.ts";

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

Deno.test("defaults are added before validation, without changing the caller's object", async () => {
  const schema = {
    properties: {
      count: { type: "integer", default: 3 },
      at: { properties: { x: { default: 1 } } },
    },
    required: ["count"],
  };
  const input = { at: {} };
  assert.deepEqual(await defineSchema(schema).parse(input), { count: 3, at: { x: 1 } });
  assert.deepEqual(input, { at: {} });
});

Deno.test("an invalid output schema is not listed, and affects nothing else", () => {
  const tool = defineTool({
    name: "demo.output",
    title: "Output",
    description: "For the test.",
    input: {},
    output: { properties: { a: { $ref: "#/nowhere" } } },
    run: () => ({}),
  });
  const toolset = buildToolset(openProject(makeProject()), [{ tools: [tool] }]);
  assert.match(toolset.listedTools()[0]!.output!.problem!, /nowhere/);
  assert.match(toolset.warnings[0]!.message, /output schema of demo\.output is not listed/);
});

Deno.test("a slow pattern times out, and the value is rejected", async () => {
  const schema = { properties: { a: { type: "string", pattern: "^(\\w+\\s?)*$" } } };
  assert.equal(await check(schema, { a: "some words" }), "");
  assert.match(await check(schema, { a: "some words!" }), /"a": String does not match pattern/);
  assert.match(await check(schema, { a: `${"a".repeat(60)}!` }), /takes too long to check/);
});
