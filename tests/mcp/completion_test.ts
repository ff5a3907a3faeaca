import assert from "node:assert/strict";
import type { Resource } from "../../src/plugin/resource.ts";
import { ERAS, withClient } from "../support/in_process.ts";

const resource: Resource = {
  uri: "team://thing/{one}/{two}",
  name: "thing",
  title: "Thing",
  description: "For the test.",
  mimeType: "text/plain",
  complete: (parameter, value, _context, others) => {
    if (parameter === "two") throw new Error("cannot");
    if (value === "odd") return [`a\u001b[31m\nb${"x".repeat(300)}`];
    if (others["two"] !== undefined) return [`beside ${others["two"]}`];
    return Array.from({ length: 120 }, (_, index) => `${value}${index}`);
  },
  read: ({ one }) => ({ text: one! }),
};

for (const era of ERAS) {
  Deno.test(`completes the parameters of resources, and no arguments of prompts, in the ${era} era`, () =>
    withClient({ resources: [resource] }, async (client) => {
      type Ref = { type: "ref/prompt"; name: string } | { type: "ref/resource"; uri: string };
      const complete = async (
        name: string,
        value: string,
        args: Record<string, string> = {},
        ref: Ref = { type: "ref/resource", uri: "team://thing/{one}/{two}" },
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
      assert.deepEqual(await complete("two", ""), none, "a failure completes nothing");
      const refs: Ref[] = [
        { type: "ref/resource", uri: "team://other/{one}" },
        { type: "ref/prompt", name: "rune_write" },
      ];
      for (const ref of refs) assert.deepEqual(await complete("one", "", {}, ref), none);
    }, { era }));
}
