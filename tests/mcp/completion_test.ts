import assert from "node:assert/strict";
import type { Prompt } from "../../src/tools/prompt.ts";
import type { Resource } from "../../src/tools/resource.ts";
import { withClient } from "../support/in_process.ts";

const prompt: Prompt = {
  name: "pick",
  title: "Pick",
  description: "For the test.",
  arguments: [{ name: "one", description: "One" }, { name: "two", description: "Two" }],
  complete: (argument, value, _context, others) => {
    if (argument === "two") throw new Error("cannot");
    if (value === "odd") return [`a\u001b[31m\nb${"x".repeat(300)}`];
    if (others["two"] !== undefined) return [`beside ${others["two"]}`];
    return Array.from({ length: 120 }, (_, index) => `${value}${index}`);
  },
  render: () => "",
};

const resource: Resource = {
  uri: "team://thing/{id}",
  name: "thing",
  title: "Thing",
  description: "For the test.",
  mimeType: "text/plain",
  complete: (_parameter, value) => ["apple", "pear"].filter((id) => id.startsWith(value)),
  read: ({ id }) => ({ text: id! }),
};

Deno.test("completes arguments of prompts and parameters of resources", async () => {
  await withClient({ prompts: [prompt], resources: [resource] }, async (client) => {
    type Ref = { type: "ref/prompt"; name: string } | { type: "ref/resource"; uri: string };
    const complete = async (
      name: string,
      value: string,
      args: Record<string, string> = {},
      ref: Ref = { type: "ref/prompt", name: "pick" },
    ) =>
      (await client.complete({ ref, argument: { name, value }, context: { arguments: args } }))
        .completion;
    const many = await complete("one", "v");
    assert.deepEqual([many.values.length, many.total, many.hasMore], [100, 120, true]);
    assert.equal(many.values[99], "v99");
    assert.deepEqual((await complete("one", "", { two: "2" })).values, ["beside 2"]);
    const [odd] = (await complete("one", "odd")).values;
    // deno-lint-ignore no-control-regex -- that there are none is what is tested
    assert.ok(odd!.length <= 200 && !/[\u0000-\u001f]/.test(odd!), odd);
    const none = { values: [], total: 0, hasMore: false };
    assert.deepEqual(await complete("two", ""), none, "who cannot complete offers nothing");
    const thing = { type: "ref/resource", uri: "team://thing/{id}" } as const;
    assert.deepEqual((await complete("id", "p", {}, thing)).values, ["pear"]);
    assert.deepEqual(await complete("one", "", {}, { type: "ref/prompt", name: "no" }), none);
  });
});
