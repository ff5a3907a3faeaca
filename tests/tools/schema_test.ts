import assert from "node:assert/strict";
import { z } from "zod";
import {
  briefSchema,
  defineSchema,
  isZod,
  type JsonSchema,
  outputSchema,
  repairSchema,
} from "../../src/tools/schema.ts";
import { errorOf } from "../support/calls.ts";

Deno.test("every client gets an object at the root, and no choice beside it", () => {
  assert.deepEqual(repairSchema({ anyOf: [{ required: ["a"] }], properties: {} }), {
    type: "object",
    properties: {},
  });
  assert.deepEqual(repairSchema({ properties: {} })["additionalProperties"], false);
  for (const none of [null, [], "x"]) {
    assert.equal(repairSchema(none as unknown as JsonSchema)["type"], "object");
  }
});

Deno.test("what is wrong is said line by line, with what would be right", async () => {
  const schema = defineSchema(
    z.strictObject({ status: z.enum(["open", "done"]), count: z.int().optional() }),
  );
  const error = await errorOf(schema.parse({ status: "opne", count: "1", statsu: 1 }));
  assert.equal(error.code, "INVALID_ARGS");
  assert.match(error.message, /"status": must be one of "open", "done", got "opne"/);
  assert.match(error.message, /"count": must be a number, got "1"/);
  assert.match(error.message, /"statsu": not an argument\. .*status/);
  assert.match(error.hint ?? "", /status \(string, required\), count/);
  assert.match(
    (await errorOf(schema.parse(undefined))).message,
    /"status": required|must be one of/,
  );
});

Deno.test("a choice that is left out of the listed schema is checked all the same", async () => {
  const schema = defineSchema({
    properties: { a: {}, b: {} },
    anyOf: [{ required: ["a"] }, { required: ["b"] }],
  });
  assert.equal(schema.json["anyOf"], undefined);
  assert.deepEqual(await schema.parse({ b: 1 }), { b: 1 });
  assert.equal((await errorOf(schema.parse({}))).code, "INVALID_ARGS");
});

Deno.test("a schema that cannot be checked lets no call through", async () => {
  const schema = defineSchema({ properties: { a: { type: "text" } } });
  assert.match(schema.problem ?? "", /"text" is no type/);
  assert.equal((await errorOf(schema.parse({ a: 1 }))).code, "TOOL_FAILED");
});

Deno.test("a closed schema of answers has room for the note of a cut, and the short one names what is always there", () => {
  const json: JsonSchema = {
    properties: { a: { type: "string", description: "x" }, b: {} },
    required: ["a"],
    additionalProperties: false,
  };
  assert.ok("more" in (outputSchema(json)["properties"] as object));
  const { additionalProperties: _closed, ...open } = json;
  assert.equal(outputSchema(open), open);
  const answer = z.looseObject({
    a: z.string(),
    b: z.string().optional(),
    c: z.number().default(1),
    d: z.array(z.unknown()).nullable(),
  });
  const { required } = answer.toJSONSchema({ io: "input" });
  assert.deepEqual(required, ["a", "d"]);
  assert.deepEqual(briefSchema(answer), { type: "object", required });
  assert.deepEqual(briefSchema(z.object({})), { type: "object" });
  assert.deepEqual(briefSchema(z.union([answer, answer])), { type: "object" });
  assert.deepEqual([isZod(z.string()), isZod(json)], [true, false]);
});
