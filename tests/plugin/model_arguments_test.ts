/** Tests of arguments as models write them: lists, numbers and booleans as text, null, empty texts. */

import assert from "node:assert/strict";
import { errorOf } from "../support/calls.ts";
import { inProcess } from "../support/in_process.ts";
import { makeProject, readTree, SMALL_PLAN } from "../support/project.ts";
import { defineSchema } from "../../src/plugin/schema.ts";

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
