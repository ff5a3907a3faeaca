import assert from "node:assert/strict";
import manifest from "../../deno.json" with { type: "json" };
import { publishToRegistry } from "../support/jsr.ts";
import { makeProject, readTree, SMALL_PLAN, writeFiles } from "../support/project.ts";
import { childEnvironment, README_PERMISSIONS, withServer } from "../support/server.ts";
import { runProcess } from "../support/process.ts";
import { RALPH_GRANTS } from "../support/ralph_program.ts";
import { temporaryFolder } from "../support/temporary.ts";

Deno.test("the published package runs from a registry in every kind of project", async (t) => {
  await using registry = await publishToRegistry();
  const { url } = registry;
  const denoDir = Deno.env.get("REFRAKT_DENO_DIR") ?? temporaryFolder();
  const flags = ["--no-config", ...README_PERMISSIONS];
  const run = (cwd: string, args: readonly string[], DENO_DIR = denoDir) =>
    runProcess(Deno.execPath(), ["run", ...args], cwd, undefined, { JSR_URL: url, DENO_DIR });

  await t.step("the package contains the program but no tests", async () => {
    const response = await fetch(`${url}${manifest.name}/${manifest.version}_meta.json`);
    const paths = Object.keys((await response.json()).manifest);
    for (const path of ["/mod.ts", "/plugins/ralph/mod.ts", "/NOTICE"]) {
      assert.ok(paths.includes(path), path);
    }
    assert.deepEqual(paths.filter((path) => /^\/(tests|bench|examples|docs|\.)/.test(path)), []);
  });

  await t.step(
    "it works with an empty cache, below a manifest, and writes nothing there",
    async () => {
      const root = makeProject({ "package.json": JSON.stringify({ name: "root" }) });
      const cwd = `${root}/packages/site`;
      writeFiles(cwd, SMALL_PLAN);
      const before = readTree(root);
      const command = [...flags, "jsr:@refrakt/mcp", "call", "refrakt_detect"];
      const { code, stdout, stderr } = await run(cwd, command, temporaryFolder());
      assert.equal(code, 0, stderr);
      const report = JSON.parse(stdout);
      assert.deepEqual([report.cwd, report.plan?.fileCount], [cwd, 6]);
      assert.deepEqual(readTree(root), before);
    },
  );

  await t.step("Deno writes nothing into an installed project", async () => {
    const cwd = makeProject({
      "package.json": JSON.stringify({ dependencies: { "left-pad": "1.3.0" } }),
      "deno.json": JSON.stringify({ nodeModulesDir: "auto", vendor: true, lock: true }),
    });
    const before = readTree(cwd);
    const command = [...flags, "--node-modules-dir=manual", "jsr:@refrakt/mcp"];
    const { code, stderr } = await run(cwd, [...command, "call", "refrakt_version"]);
    assert.equal(code, 0, stderr);
    assert.deepEqual(readTree(cwd), before);
  });

  const env = { ...childEnvironment(), JSR_URL: url, DENO_DIR: denoDir };

  await t.step("the Ralph workflow runs alone, also without --no-config", async () => {
    const cwd = makeProject({ "package.json": JSON.stringify({ dependencies: { a: "1.0.0" } }) });
    await withServer(cwd, async ({ ok, tools }) => {
      assert.ok((await tools()).every((name) => /^ralph_|^refrakt_(?:more|undo)$/.test(name)));
      await ok("ralph_start", { name: "demo", goal: "Show that it runs" });
      assert.ok("specs/demo/.ralph-state.json" in readTree(cwd));
    }, { entry: "jsr:@refrakt/mcp/ralph", grants: RALPH_GRANTS, env });
  });
});
