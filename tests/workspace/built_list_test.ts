/** The list of tools that the build makes, beside the list that is made of the loaded tools. */

import assert from "node:assert/strict";
import { openProject } from "../../src/project/project.ts";
import type { ListedTool } from "../../src/tools/tool.ts";
import { builtList } from "../../src/workspace/built_list.ts";
import { declaredTools } from "../../src/workspace/declared_tools.ts";
import { openWorkspace } from "../../src/workspace/mod.ts";
import { makeProject, SMALL_PLAN } from "../support/project.ts";

const ITEM = "plan/work/WORK-001-first.md";
const TWICE = { ...SMALL_PLAN, "plan/work/WORK-001-again.md": SMALL_PLAN[ITEM]! };

const planWith = (version: string) => ({
  ...SMALL_PLAN,
  "package.json": JSON.stringify({ devDependencies: { "@refrakt-md/plan": version } }),
});

const shown = (tools: readonly ListedTool[]) =>
  tools.map(({ name, title, description, input, output, annotations, _meta }) =>
    JSON.stringify([name, title, description, input.json, output?.json, annotations, _meta])
  );

Deno.test("a plan's list from the build is the list of the loaded tools, whatever is chosen", async () => {
  const cwd = makeProject(SMALL_PLAN);
  const tools = await declaredTools(cwd);
  const plans = [SMALL_PLAN, TWICE, ...["0.24.6", "^0.25.0", "0.29.0"].map(planWith)];
  for (const files of plans) {
    for (const options of [{}, { tools: ["all"] }, { readOnly: true }]) {
      const place = makeProject(files);
      const loaded = await openWorkspace({ cwd: place, ...options, patient: true }).toolset();
      const built = await builtList(openProject(place, options), tools);
      for (const views of [false, true]) {
        const name = `${JSON.stringify(options)}, ${views}`;
        assert.deepEqual(shown(built!.listedTools(views)), shown(loaded.listedTools(views)), name);
      }
      assert.ok(built!.warnings.some(({ code }) => code === "PLUGINS_LOADING"));
    }
  }
});

Deno.test("projects with more than a plan have no list from the build", async () => {
  const tools = await declaredTools(makeProject(SMALL_PLAN));
  const { "refrakt.config.json": _config, ...plan } = SMALL_PLAN;
  const others = {
    "a site": { "refrakt.config.json": JSON.stringify({ site: { contentDir: "content" } }) },
    "a plugin": {
      "package.json": JSON.stringify({ dependencies: { "@refrakt-md/docs": "0.25.1" } }),
    },
    "specs of Ralph": { "specs/one/.ralph-state.json": "{}" },
  };
  for (const [name, files] of Object.entries(others)) {
    const project = openProject(makeProject({ ...plan, ...files }));
    assert.equal(await builtList(project, tools), undefined, name);
  }
  assert.equal(await builtList(openProject(makeProject()), tools), undefined, "no plan");
  assert.ok(await builtList(openProject(makeProject(plan)), tools) !== undefined);
});
