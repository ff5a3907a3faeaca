import assert from "node:assert/strict";
import { z } from "zod";
import {
  criteriaArgument,
  oneOrMore,
  planCommand,
  present,
} from "../../../../plugins/plan/tools/command.ts";

Deno.test("what was not given is left out, and nothing else", () => {
  assert.deepEqual(present({ a: undefined, b: 0, c: "", d: false }), { b: 0, c: "", d: false });
});

Deno.test("an argument of several kinds takes these and refuses others in words", () => {
  const accepts = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success;
  for (const value of ["a", ["a", "b"], [], undefined]) assert.ok(accepts(oneOrMore(), value));
  for (const value of [1, [1], {}, null]) assert.ok(!accepts(oneOrMore(), value));
  for (const value of ["a", 2, ["a", 2]]) assert.ok(accepts(criteriaArgument(), value));
  for (const value of [1.5, [[1]], true]) assert.ok(!accepts(criteriaArgument(), value));
  assert.match(oneOrMore().safeParse(1).error!.message, /a text or a list of texts/);
});

Deno.test("a definition becomes a command of a plugin, its handler given the input", async () => {
  const command = planCommand({
    name: "x",
    title: "X",
    description: "Does x.",
    annotations: {},
    input: z.strictObject({ n: z.int() }),
    output: z.object({ twice: z.int() }),
    run: ({ n }) => ({ twice: 2 * n }),
  });
  const context = {
    cwd: "/",
    signal: new AbortController().signal,
    progress: () => {},
    log: () => {},
  };
  assert.deepEqual(await command.mcpHandler!({ n: 2 }, context), { twice: 4 });
  assert.ok(!("run" in command) && command.inputSchema !== undefined);
});
