import assert from "node:assert/strict";
import { z } from "zod";
import { openProject } from "../../src/host/open_project.ts";
import { buildInventory } from "../../src/host/inventory.ts";
import { defineTool } from "../../src/plugin/tool.ts";
import { makeProject } from "../support/project.ts";

Deno.test("buildInventory() keeps the first of two entries with one name, and warns about the second", () => {
  const tool = (name: string, title: string) =>
    defineTool({ name, title, description: "x", input: z.strictObject({}), run: () => title });
  const inventory = buildInventory(openProject(makeProject()), [
    { plugin: { name: "b" }, tools: [tool("b.two", "first"), tool("a.one", "only")] },
    { plugin: { name: "c" }, tools: [tool("b_two", "second"), tool("bad name", "x")] },
  ]);
  assert.deepEqual(inventory.tools.map((entry) => entry.name), ["a_one", "b_two"]);
  assert.equal(inventory.findTool("b-two")?.title, "first");
  assert.equal(inventory.findTool("constructor"), undefined);
  assert.deepEqual(inventory.warnings.map((entry) => entry.code), [
    "NAME_CLASH",
    "TOOL_NAME_INVALID",
  ]);
});
