import assert from "node:assert/strict";
import { withoutSlowPatterns } from "../../src/plugin_host/slow_patterns.ts";
import type { JsonSchema } from "../../src/tools/schema.ts";

const SLOW = "(a+)+$";

Deno.test("patterns that take long are left to the plugin, and quick ones are kept", () => {
  const kept = (pattern: string) => {
    const schema = { properties: { a: { pattern } } };
    return JSON.stringify(withoutSlowPatterns(schema)) === JSON.stringify(schema);
  };
  for (const pattern of ["^[A-Z]+-\\d+$", "^v\\d+\\.\\d{1,3}$", "^(a|b)$", "^[\\w.-]{1,64}$"]) {
    assert.ok(kept(pattern), pattern);
  }
  for (
    const pattern of [
      SLOW,
      "(a|a)*$",
      "^(.*)*x",
      "(x)\\1",
      "a*a*a*a*b",
      "(?=a)b",
      "(a{1,5}){1,9}",
      "x".repeat(300),
    ]
  ) {
    assert.ok(!kept(pattern), pattern);
  }
});

Deno.test("an argument may be called pattern, and everything but a slow pattern stays", () => {
  const schema = {
    properties: {
      pattern: { type: "string" },
      patternProperties: { type: "object" },
      $ref: { type: "string" },
    },
    patternProperties: { "^x-": { type: "string" } },
    additionalProperties: { $ref: "https://example.com/other.json" },
    default: { pattern: SLOW },
  };
  assert.deepEqual(withoutSlowPatterns(schema), schema);
});

Deno.test("what would be refused for want of a slow pattern is not refused", () => {
  const text = { type: "string" };
  for (
    const [schema, expected] of [
      [{ patternProperties: { [SLOW]: text, "^b": text }, additionalProperties: false }, {
        patternProperties: { "^b": text },
      }],
      [{ not: { properties: { a: { pattern: SLOW } } }, type: "object" }, { type: "object" }],
      [{ if: { pattern: SLOW }, then: text, else: false }, {}],
      [{ oneOf: [{ pattern: SLOW }, text] }, { anyOf: [{}, text] }],
      [{ items: [{ pattern: SLOW }], allOf: [{ pattern: SLOW, ...text }] }, {
        items: [{}],
        allOf: [text],
      }],
    ] as readonly (readonly [JsonSchema, JsonSchema])[]
  ) assert.deepEqual(withoutSlowPatterns(schema), expected);
});
