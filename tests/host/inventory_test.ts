import assert from "node:assert/strict";
import { z } from "zod";
import { defineTool, type ToolDeclaration } from "../../src/plugin/tool.ts";
import { BUNDLED } from "../../src/bundled.ts";
import type { Plugin } from "../../src/plugin/plugin.ts";
import { openProject } from "../../src/host/open_project.ts";
import { buildInventory } from "../../src/host/inventory.ts";
import { openWorkspace } from "../../src/host/open_workspace.ts";
import { declaredTools } from "../../.ci/declared_tools.ts";
import { builtKey } from "../../src/host/toolset.ts";
import { makeProject, SMALL_PLAN } from "../support/project.ts";
import { copyExample } from "../support/run.ts";

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

const ITEM = "plan/work/WORK-001-first.md";
const TWICE = { ...SMALL_PLAN, "plan/work/WORK-001-again.md": SMALL_PLAN[ITEM]! };

const planWith = (version: string) =>
  makeProject({
    ...SMALL_PLAN,
    "package.json": JSON.stringify({ devDependencies: { "@refrakt-md/plan": version } }),
  });

const fields = (tools: readonly ToolDeclaration[]) =>
  tools.filter(({ listed }) => listed.namespace === undefined)
    .map(({ name, title, description, input, output, annotations, _meta }) =>
      JSON.stringify([name, title, description, input.json, output?.json, annotations, _meta])
    );

Deno.test("what the build lists is the list of the loaded tools, in every kind of project", async () => {
  const projects = [
    makeProject(),
    makeProject(SMALL_PLAN),
    makeProject(TWICE),
    ...["0.24.6", "^0.25.0", "0.29.0"].map(planWith),
    ...["site", "site-and-plan", "two-sites"].map(copyExample),
  ];
  const built = await declaredTools(openProject(projects[0]!));
  for (const cwd of projects) {
    for (const options of [{}, { tools: ["all"] }, { readOnly: true }, { plugins: ["ralph"] }]) {
      const loaded = await openWorkspace({ cwd, ...options }).inventory("all");
      const project = openProject(cwd, options);
      const parts = await Promise.all(
        [{ name: "refrakt" }, ...BUNDLED].map(async (plugin: Plugin) => ({
          plugin,
          tools: JSON.parse(built[builtKey(plugin, await plugin.variants?.of(project) ?? "")]!),
        })),
      );
      const known = buildInventory(project, parts);
      for (const views of [false, true]) {
        assert.deepEqual(
          fields(known.listedTools(views)),
          fields(loaded.listedTools(views)),
          `${cwd}, ${JSON.stringify(options)}, ${views}`,
        );
      }
    }
  }
});
