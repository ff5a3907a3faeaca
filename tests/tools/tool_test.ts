import assert from "node:assert/strict";
import { z } from "zod";
import { defineTool } from "../../src/tools/tool.ts";

Deno.test("our output schemas list the fields of rows", () => {
  const tool = defineTool({
    name: "demo.count",
    title: "Count",
    description: "Counts.",
    input: z.strictObject({ most: z.int().optional(), rows: z.array(z.object({ n: z.int() })) }),
    output: z.object({
      total: z.int(),
      rows: z.array(z.object({ id: z.string() })),
      hint: z.string().optional(),
    }),
    run: () => ({ total: 0, rows: [] }),
  });
  const { properties, required } = tool.output?.json ?? {};
  assert.deepEqual(required, ["total", "rows"]);
  assert.deepEqual((properties as Record<string, unknown>)["rows"], {
    type: "array",
    items: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
  });
  assert.ok(!JSON.stringify(tool.input.json).includes("9007199254740991"));
});

Deno.test("output schemas of plugins are listed unchanged", () => {
  const output = {
    type: "object",
    properties: { rows: { type: "array", items: { type: "string" } } },
  };
  const tool = defineTool({
    name: "demo.rows",
    title: "Rows",
    description: "Gives rows.",
    input: { type: "object" },
    output,
    run: () => ({ rows: [] }),
  });
  assert.deepEqual(tool.output?.json, output);
});
