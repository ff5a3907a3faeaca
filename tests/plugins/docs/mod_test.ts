import assert from "node:assert/strict";
import { docsAdapter } from "../../../plugins/docs/mod.ts";
import { importVersion } from "../../../src/npm/load.ts";
import { packageVersion } from "../../../src/npm/versions.ts";
import { openProject } from "../../../src/project/project.ts";
import type { CliPlugin } from "../../../src/tools/plugin.ts";
import { makeProject, readTree, SMALL_PLAN } from "../../support/project.ts";
import { withServer } from "../../support/server.ts";

const PROJECT = {
  "package.json": JSON.stringify({ devDependencies: { "@refrakt-md/docs": "0.25.1" } }),
  "src/add.ts": "/** Adds two numbers. */\nexport function add(a: number, b: number): number {\n" +
    "  return a + b;\n}\n",
};

Deno.test("what is declared of the docs plugin is what the package itself declares", async () => {
  const project = openProject(makeProject(PROJECT));
  const module = await importVersion<{ default: CliPlugin }>(
    packageVersion(project, "@refrakt-md/docs"),
    "cli-plugin",
  );
  const plain = ({ namespace, commands }: CliPlugin) => ({
    namespace,
    commands: commands.map(({ name, description }) => ({ name, description })),
  });
  assert.deepEqual(plain(docsAdapter.declared!), plain(module.default));
});

Deno.test("the docs plugin is listed by what it declares, and works when it is called", async () => {
  const ranges = { "@refrakt-md/docs": "^0.25.0", "@refrakt-md/plan": "^0.25.0" };
  const cwd = makeProject({
    ...SMALL_PLAN,
    ...PROJECT,
    "package.json": JSON.stringify({ devDependencies: ranges }),
  });
  await withServer(cwd, async ({ ok, tools }) => {
    assert.ok((await tools()).includes("docs.extract"));
    // What its range means is known from the plan's, which was released together with it.
    const [docs, plan] = (await ok("refrakt.detect")).plugins;
    assert.equal(docs.packageName, "@refrakt-md/docs");
    assert.match(docs.packageVersion, /^0\.25\.\d+$/);
    assert.equal(docs.packageVersion, plan.packageVersion);
    await ok("docs.extract", { input: "src", output: "plan/api" });
  }, { grants: ["--no-prompt", "--allow-read=.", "--allow-write=plan"] });
  assert.ok(Object.keys(readTree(cwd)).some((path) => path.startsWith("plan/api/")));
});
