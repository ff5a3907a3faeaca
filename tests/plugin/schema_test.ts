import assert from "node:assert/strict";
import { z } from "zod";
import { defineOutput, defineSchema, type JsonSchema } from "../../src/plugin/schema.ts";
import { errorOf } from "../support/calls.ts";
import { inProcess } from "../support/in_process.ts";
import { makeProject, readTree, SMALL_PLAN } from "../support/project.ts";

Deno.test("errors list each issue on a line, with the valid values", async () => {
  const schema = defineSchema(
    z.strictObject({
      status: z.enum(["open", "done"]),
      count: z.int().optional(),
      items: z.array(z.strictObject({ title: z.string() })).optional(),
    }),
  );
  const items = [{ title: "A", status: 1, titel: 2 }];
  const error = await errorOf(schema.parse({ status: "opne", count: "x", statsu: 1, items }));
  assert.equal(error.code, "INVALID_ARGS");
  assert.match(error.message, /"status": must be one of "open", "done", got "opne"/);
  assert.match(error.message, /"count": must be a number, got "x"/);
  assert.match(error.message, /"statsu": not an argument\. .*status/);
  // What the arguments at the top are called does not help there.
  assert.match(error.message, /"items\.0\.status": not an argument\.$/m);
  assert.match(error.message, /"items\.0\.titel": not an argument\. .*"title"/);
  assert.match(error.hint ?? "", /status \(string, required\), count/);
  assert.match(
    (await errorOf(schema.parse(undefined))).message,
    /"status": required|must be one of/,
  );
});

Deno.test("output schemas allow `more`, and our own are open at any depth", () => {
  const json: JsonSchema = {
    properties: { a: { type: "string", description: "x" }, b: {} },
    required: ["a"],
    additionalProperties: false,
  };
  assert.ok("more" in (defineOutput(json).json["properties"] as object));
  const { additionalProperties: _closed, ...open } = json;
  assert.deepEqual(defineOutput(open).json, open);
  const rows = z.object({
    rows: z.array(z.object({ id: z.string(), points: z.record(z.string(), z.int()).optional() })),
  });
  const { properties, required, additionalProperties } = defineOutput(rows).json;
  // The safe integers are no limits that a model should read.
  const input = defineSchema(z.strictObject({ most: z.int().optional(), n: z.array(z.int()) }));
  assert.ok(!JSON.stringify(input.json).includes("9007199254740991"));
  assert.deepEqual([required, additionalProperties], [["rows"], undefined]);
  assert.deepEqual((properties as Record<string, unknown>)["rows"], {
    type: "array",
    items: {
      type: "object",
      properties: {
        id: { type: "string" },
        points: { type: "object", additionalProperties: { type: "integer" } },
      },
      required: ["id"],
    },
  });
});

const check = (schema: JsonSchema, value: unknown): Promise<string> =>
  defineSchema(schema).parse(value).then(() => "", ({ message }) => message);

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

Deno.test("lists, objects, numbers and booleans may be JSON text, and null is left out", async () => {
  const source = {
    type: "object",
    properties: {
      paths: { type: "array", items: { type: "string" } },
      depth: { type: "integer" },
      deep: { type: "object", properties: { all: { type: "boolean" } } },
      kind: { type: "string", enum: ["a", "b"] },
      label: { type: "string" },
    },
    required: ["paths"],
  };
  const schema = defineSchema(source);
  const cases = [
    [
      { paths: '["x"]', depth: "2", deep: '{"all":"True"}', kind: "a", label: "" },
      { paths: ["x"], depth: 2, deep: { all: true }, kind: "a", label: "" },
    ],
    // What is a text stays a text, and a single one stands for a list.
    [{ paths: "[x", label: "[1]", depth: "" }, { paths: ["[x"], label: "[1]" }],
    [{ paths: ['["A"]'], depth: " 3 ", kind: null }, { paths: ['["A"]'], depth: 3 }],
  ] as const;
  for (const [input, expected] of cases) assert.deepEqual(await schema.parse(input), expected);
  const filter = defineSchema(source, {}, true);
  assert.deepEqual(await filter.parse({ paths: [], kind: "", label: "" }), { paths: [] });
  // A wrong value is still refused, and a required one is still required.
  for (const input of [{ paths: [], kind: "" }, { paths: [], depth: "three" }, { paths: null }]) {
    assert.equal((await errorOf(schema.parse(input))).code, "INVALID_ARGS", JSON.stringify(input));
  }
});

Deno.test("an empty text removes an attribute, and is left out where it would be a filter", async () => {
  const cwd = makeProject({
    ...SMALL_PLAN,
    "plan/work/WORK-050.md":
      '{% work id="WORK-050" status="ready" assignee="ann" %}\n\n# Fifty\n\n{% /work %}\n',
  });
  await inProcess(cwd, async ({ ok }) => {
    await ok("plan_update", { id: "WORK-050", assignee: "" });
    assert.doesNotMatch(readTree(cwd)["plan/work/WORK-050.md"]!, /assignee/);
    const claimed = await ok("plan_claim", { assignee: "bob", tag: "", type: "", milestone: "" });
    assert.equal((claimed.items as unknown[]).length, 1);
  });
});
