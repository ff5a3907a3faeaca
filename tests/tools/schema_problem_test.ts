import assert from "node:assert/strict";
import { dialectOf, schemaProblem } from "../../src/tools/schema_problem.ts";

Deno.test("a schema that can be checked has no problem", () => {
  for (
    const schema of [
      {},
      { type: ["string", "null"], pattern: "^\\p{L}+$" },
      { $schema: "http://json-schema.org/draft-07/schema#", items: [{}, true] },
      { $defs: { "a/b": { $anchor: "x" } }, anyOf: [{ $ref: "#/$defs/a~1b" }, { $ref: "#x" }] },
      { $id: "https://a.example/s", properties: { self: { $ref: "#" } } },
      { properties: JSON.parse('{"__proto__": {"type": "string"}}') },
    ]
  ) assert.equal(schemaProblem(schema), undefined, JSON.stringify(schema));
});

Deno.test("a problem is told with the way to its keyword", () => {
  const cases: [schema: unknown, problem: RegExp][] = [
    [[], /^it is no object$/],
    [{ $schema: "https://example/none" }, /^\$schema: the dialect .* is not known$/],
    [{ properties: { a: { type: "text" } } }, /^properties\.a\.type: "text" is no type$/],
    [{ properties: { a: "string" } }, /^properties\.a: "string" is no schema$/],
    [{ required: "a" }, /^required: it is no list of names$/],
    [{ anyOf: {} }, /^anyOf: it is no list$/],
    [{ items: { pattern: "(" } }, /^items\.pattern: /],
    [{ patternProperties: { "[": {} } }, /^patternProperties: /],
    [{ minimum: "1" }, /^minimum: it is no number$/],
    [{ $dynamicRef: "#a" }, /dynamic references are not supported/],
    [{ $ref: "#/$defs/none" }, /is not in the schema$/],
    [{ $ref: "https://elsewhere.example/schema" }, /is not in the schema$/],
    [{ $ref: "#/$defs/%" }, /./],
    [{ $defs: { a: {} }, $ref: "#/$defs/constructor" }, /is not in the schema$/],
  ];
  for (const [schema, problem] of cases) {
    assert.match(schemaProblem(schema) ?? "no problem", problem, JSON.stringify(schema));
  }
});

Deno.test("a schema without end, or nested too deep, is refused and not followed", () => {
  const circle: Record<string, unknown> = {};
  circle["not"] = circle;
  assert.match(schemaProblem(circle) ?? "", /nested more than 100 deep/);
});

Deno.test("the dialect is the newest where none is named", () => {
  assert.equal(dialectOf({}), "2020-12");
  assert.equal(dialectOf({ $schema: "http://json-schema.org/draft-07/schema#" }), "7");
  for (const $schema of ["__proto__", "constructor", "", 7]) {
    assert.equal(dialectOf({ $schema }), undefined);
  }
});
