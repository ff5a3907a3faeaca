import assert from "node:assert/strict";
import { z } from "zod";
import { openProject } from "../../src/project/project.ts";
import { buildToolset } from "../../src/tools/registry.ts";
import { defineTool } from "../../src/tools/tool.ts";
import { makeProject } from "../support/project.ts";

Deno.test("buildToolset() keeps the first of two entries with one name, and warns about the second", () => {
  const tool = (name: string, title: string) =>
    defineTool({ name, title, description: "x", input: z.strictObject({}), run: () => title });
  const toolset = buildToolset(openProject(makeProject()), [
    { tools: [tool("b.two", "first"), tool("a.one", "only")] },
    { tools: [tool("b_two", "second"), tool("bad name", "x")] },
  ]);
  assert.deepEqual(toolset.tools.map((entry) => entry.name), ["a_one", "b_two"]);
  assert.equal(toolset.findTool("b-two")?.title, "first");
  assert.equal(toolset.findTool("constructor"), undefined);
  assert.deepEqual(toolset.warnings.map((entry) => entry.code), [
    "NAME_CLASH",
    "TOOL_NAME_INVALID",
  ]);
});
