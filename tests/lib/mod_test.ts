import assert from "node:assert/strict";
import { createServer, detect, discoverPlugins } from "../../src/lib/mod.ts";
import { RefraktError } from "../../src/errors.ts";
import { makeProject, SMALL_PLAN } from "../support/project.ts";

Deno.test("detect() reports what a directory has", async () => {
  const cwd = makeProject(SMALL_PLAN);
  const report = await detect({ cwd, plugins: ["ralph"] });
  assert.deepEqual([report.cwd, report.plan?.fileCount], [cwd, 6]);
  assert.ok(report.bundled.some(({ name, active }) => name === "ralph" && active));
});

Deno.test("discoverPlugins() gives the plugins with their handlers, and the warnings", async () => {
  const broken = { "refrakt.config.json": '{ "plugins": ["@refrakt-md/plan", "no such name!"] }' };
  const { plugins, warnings } = await discoverPlugins({
    cwd: makeProject({ ...SMALL_PLAN, ...broken }),
  });
  const plan = plugins.find(({ namespace }) => namespace === "plan");
  assert.ok(plan!.plugin.commands.some((command) => command.name === "next"));
  assert.deepEqual(warnings.map(({ code }) => code), ["PLUGIN_LOAD_FAILED"]);
  assert.match(warnings[0]!.message, /no such name!/);
});

Deno.test("every function refuses a directory that is not there, with a code", async () => {
  const nowhere = { cwd: `${makeProject()}/nowhere` };
  for (const call of [detect, discoverPlugins, createServer]) {
    await assert.rejects(() => call(nowhere), (error) => {
      assert.ok(error instanceof RefraktError && error.code === "NOT_FOUND");
      return true;
    });
  }
});
