import assert from "node:assert/strict";
import { openProject } from "../../src/project/project.ts";
import { buildToolset } from "../../src/tools/registry.ts";
import { schemaProblem } from "../../src/tools/json_schema.ts";
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

/** A schema, valid and invalid values, and the errors. */
const KEYWORDS: [JsonSchema, unknown, unknown, RegExp][] = [
  [{ properties: { a: TEXT } }, { a: "x" }, { a: 1 }, /^"a": must be a string, got 1$/],
  [
    { properties: { a: { type: ["string", "null"] } } },
    { a: null },
    { a: 1 },
    /^"a": must be a string or null, got 1$/,
  ],
  [{ properties: { a: TEXT }, required: ["a"] }, { a: "x" }, {}, /^"a": required$/],
  [
    { properties: { kind: TEXT }, additionalProperties: false },
    { kind: "x" },
    { kidn: "x" },
    /^"kidn": not an argument\. Did you mean "kind"\?$/,
  ],
  [
    { properties: { a: { enum: ["x", "y"] } } },
    { a: "x" },
    { a: "z" },
    /^"a": must be one of "x", "y", got "z"$/,
  ],
  [{ properties: { a: { const: 1 } } }, { a: 1 }, { a: 2 }, /^"a": must be one of 1, got 2$/],
  [{ not: { required: ["a", "b"] } }, { a: 1 }, { a: 1, b: 1 }, /^"arguments": .*not/],
  [
    { anyOf: [{ required: ["a"] }, { required: ["b"] }] },
    { b: 1 },
    { c: 1 },
    /does not match any subschemas\n"a": required\n"b": required$/,
  ],
  [
    {
      if: { properties: { kind: { const: "x" } }, required: ["kind"] },
      then: { required: ["size"] },
    },
    { kind: "y" },
    { kind: "x" },
    /^"size": required$/,
  ],
  [
    { properties: { a: { $ref: "#/$defs/name" } }, $defs: { name: { maxLength: 2 } } },
    { a: "x" },
    { a: "xyz" },
    /^"a": String is too long \(3 > 2\)$/,
  ],
  [
    { properties: { a: { $ref: "#n" } }, $defs: { n: { $anchor: "n", type: "integer" } } },
    { a: 1 },
    { a: "x" },
    /integer/,
  ],
  [
    { properties: { a: { items: TEXT } } },
    { a: ["x"] },
    { a: ["x", 1] },
    /^"a\.1": must be a string, got 1$/,
  ],
  [{ properties: { a: { prefixItems: [TEXT], items: false } } }, { a: ["x"] }, {
    a: ["x", 2],
  }, /"a\.1": is not allowed/],
  [
    {
      $schema: "http://json-schema.org/draft-07/schema#",
      properties: { a: { $ref: "#/definitions/x" } },
      definitions: { x: TEXT },
    },
    { a: "x" },
    { a: 1 },
    /must be a string/,
  ],
  [
    {
      $schema: "http://json-schema.org/draft-04/schema#",
      properties: { a: { minimum: 1, exclusiveMinimum: true } },
    },
    { a: 2 },
    { a: 1 },
    /"a"/,
  ],
  [{ properties: {} }, {}, { a: 1 }, /^"a": not an argument/],
];

Deno.test("invalid values are rejected with the field, the problem and the valid values", async () => {
  for (const [schema, good, bad, said] of KEYWORDS) {
    assert.equal(await check(schema, good), "");
    assert.match(await check(schema, bad), said);
  }
});

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

const BROKEN: [unknown, RegExp][] = [
  ["not a schema", /must be an object/],
  [{ $schema: "https://example.com/my-dialect" }, /^\$schema: unknown dialect .*$/],
  [{ properties: { a: { $ref: "#/nowhere" } } }, /^properties\.a\.\$ref: "#\/nowhere" is not in/],
  [{ properties: { a: { $ref: "https://example.com/other.json" } } }, /is not in the schema/],
  [{ properties: { a: { $dynamicRef: "#x" } } }, /dynamic references/],
  [{ properties: { a: { pattern: "(" } } }, /properties\.a\.pattern: /],
  [{ properties: { a: { type: "text" } } }, /properties\.a\.type: "text" is not a type/],
  [{ properties: null }, /properties: must be an object/],
  [{ required: "a" }, /required: must be a list of names/],
  [{ properties: { a: "string" } }, /properties\.a: "string" is not a schema/],
  [{ allOf: {} }, /allOf: must be a list/],
];

Deno.test("a tool with an unusable schema is skipped with the reason, never called without validation", async () => {
  for (const [schema, reason] of BROKEN) {
    const tool = defineTool({
      name: "demo.broken",
      title: "Broken",
      description: "For the test.",
      input: schema as JsonSchema,
      run: () => assert.fail("it was called"),
    });
    const toolset = buildToolset(openProject(makeProject()), [{ tools: [tool] }]);
    assert.equal(toolset.findTool("demo.broken"), undefined);
    assert.equal(toolset.warnings[0]!.code, "SCHEMA_INVALID");
    assert.match(tool.input.problem!, reason);
    await assert.rejects(tool.input.parse({}), { code: "TOOL_FAILED" });
  }
  const circle: Record<string, unknown> = {};
  circle["not"] = circle;
  assert.match(schemaProblem(circle) ?? "", /nested more than 100 levels deep/);
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
