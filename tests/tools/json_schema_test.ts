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

/** A schema, what fits it, what does not, and what is said about it. */
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

Deno.test("what does not fit a schema is refused, and the error says which field, what is wrong and what is valid", async () => {
  for (const [schema, good, bad, said] of KEYWORDS) {
    assert.equal(await check(schema, good), "");
    assert.match(await check(schema, bad), said);
  }
});

Deno.test("input that is no object, names of the prototype and endless nesting are refused in words", async () => {
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

Deno.test("defaults are filled in before the check, and the caller's object stays as it is", async () => {
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

Deno.test("clients see no dialect, no combinators at the root, and an object", () => {
  const schema = {
    $schema: "http://json-schema.org/draft-07/schema#",
    type: ["object", "null"],
    anyOf: [{ required: ["a"] }],
    if: {},
    properties: { a: { anyOf: [TEXT, { type: "number" }] } },
  };
  assert.deepEqual(defineSchema(schema).json, {
    type: "object",
    properties: { a: TEXT },
    required: ["a"],
  });
});

const BROKEN: [unknown, RegExp][] = [
  ["not a schema", /it is no object/],
  [{ $schema: "https://example.com/my-dialect" }, /^\$schema: the dialect .* is not known$/],
  [{ properties: { a: { $ref: "#/nowhere" } } }, /^properties\.a\.\$ref: "#\/nowhere" is not in/],
  [{ properties: { a: { $ref: "https://example.com/other.json" } } }, /is not in the schema/],
  [{ properties: { a: { $dynamicRef: "#x" } } }, /dynamic references/],
  [{ properties: { a: { pattern: "(" } } }, /properties\.a\.pattern: /],
  [{ properties: { a: { type: "text" } } }, /properties\.a\.type: "text" is no type/],
  [{ properties: null }, /properties: it is no object/],
  [{ required: "a" }, /required: it is no list of names/],
  [{ properties: { a: "string" } }, /properties\.a: "string" is no schema/],
  [{ allOf: {} }, /allOf: it is no list/],
];

Deno.test("a tool whose schema cannot be checked is left out with the reason, never called unchecked", async () => {
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
  assert.match(schemaProblem(circle) ?? "", /nested more than 100 deep/);
});

Deno.test("a broken output schema is not listed, and costs nothing else", () => {
  const tool = defineTool({
    name: "demo.output",
    title: "Output",
    description: "For the test.",
    input: {},
    output: { properties: { a: { $ref: "#/nowhere" } } },
    run: () => ({}),
  });
  const toolset = buildToolset(openProject(makeProject()), [{ tools: [tool] }]);
  assert.equal(toolset.listedTools()[0]!.output, undefined);
  assert.match(toolset.warnings[0]!.message, /output schema of demo\.output is not listed/);
});

Deno.test("a pattern that takes long is held against a value for a moment, and the value refused", async () => {
  const schema = { properties: { a: { type: "string", pattern: "^(\\w+\\s?)*$" } } };
  assert.equal(await check(schema, { a: "some words" }), "");
  assert.match(await check(schema, { a: "some words!" }), /"a": String does not match pattern/);
  assert.match(await check(schema, { a: `${"a".repeat(60)}!` }), /takes too long to check/);
});
