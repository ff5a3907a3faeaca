import assert from "node:assert/strict";
import { join } from "node:path";
import { commitAll, makeProject } from "../support/project.ts";
import { monorepo, WORKSPACE_VERSION } from "../support/monorepo.ts";
import { installPackages } from "../support/installed.ts";
import { startRegistry } from "../support/registry.ts";
import { FROM_DISK, FROM_REGISTRY, publish, TRUSTED } from "../support/published.ts";
import { detected } from "../support/detected.ts";

// deno-lint-ignore no-explicit-any -- looked into freely
type Data = any;

const shown = (entries: readonly Data[]) =>
  entries.map((entry) => [entry.packageName, entry.packageVersion, entry.origin, entry.path]);

Deno.test("the published server works with the project's packages in every location", async (test) => {
  await using server = await publish();
  const root = await monorepo();
  commitAll(root, "Start");

  await test.step("the workspace's packages are loaded and reported, once they are built", async () => {
    const dist = join(root, "plugins/mine/dist");
    Deno.renameSync(dist, `${dist}.away`);
    await server.serve(root, TRUSTED, async ({ ok }) => {
      const { warnings: [unbuilt], plugins: others } = await detected(ok);
      assert.deepEqual(others.map(({ packageName }: Data) => packageName), ["@refrakt-md/plan"]);
      assert.match(unbuilt.message, /Cannot load @acme\/mine/);
      assert.match(unbuilt.hint, /@acme\/mine.* is built .* restart the server/);
    });
    Deno.renameSync(`${dist}.away`, dist);
    await server.serve(root, TRUSTED, async ({ ok }) => {
      const { plugins, warnings, sites } = await detected(ok);
      assert.deepEqual(warnings, []);
      assert.deepEqual(shown(plugins), [
        ["@acme/mine", "3.0.0", "project", "plugins/mine"],
        ["@refrakt-md/plan", WORKSPACE_VERSION, "project", "plugins/plan"],
      ]);
      assert.equal((await ok("mine_where")).url, `file://${root}/plugins/mine/dist/cli-plugin.js`);
      const packages = sites.flatMap((site: Data) => site.packages);
      for (const entry of packages) assert.equal(entry.problem, undefined, entry.name);
      const runes = packages.find((entry: Data) => entry.name === "@refrakt-md/runes");
      assert.deepEqual(
        [runes.version, runes.origin, runes.path],
        [WORKSPACE_VERSION, "project", "packages/runes"],
      );
      const markdoc = packages.find((entry: Data) => entry.name.startsWith("@markdoc"));
      assert.equal(markdoc.origin, "project");
      assert.equal((await ok("plan_next")).items[0].id, "WORK-001");
      const { runes: found } = await ok("refrakt_inspect_list", { site: "main" });
      assert.ok(found.some(({ name }: Data) => name === "aside"));
    });
  });

  await test.step("without --trust, the plan is served by npm's version, and the rest is named", async () => {
    await server.serve(root, FROM_REGISTRY, async ({ ok }) => {
      const { warnings, plugins, start } = await detected(ok);
      const [[name, version, origin]] = shown(plugins) as [string[]];
      assert.deepEqual([name, version, origin], ["@refrakt-md/plan", "0.25.1", "registry"]);
      assert.match(
        start,
        /--trust for local runes; @acme\/mine, not in the scope .* of its workspace/,
      );
      const text = JSON.stringify(warnings);
      assert.match(text, /@acme\/mine was not loaded: it is not in the scope .* --trust"/);
      assert.match(text, /runes was not loaded: npm does not have its version 0\.25\.99/);
      assert.equal((await ok("plan_next")).items[0].id, "WORK-001");
    });
  });

  await test.step(
    "a package installed from a private registry is loaded, never its public namesake",
    async () => {
      const plugin = (text: string) =>
        `export default { namespace: "tools", commands: [{ name: "greet", description: "Greets.",
        mcpHandler: () => ({ from: "${text}" }) }] };`;
      const theirs = await startRegistry([{ name: "tools", plugin: plugin("a stranger") }], {
        scope: "@acme",
      });
      try {
        const cwd = makeProject({
          ".npmrc": "@acme:registry=https://npm.acme.example/\n" +
            "//npm.acme.example/:_authToken=very-secret\n",
          "package.json": '{"name":"x","private":true,"dependencies":{"@acme/tools":"^1.0.0"}}',
          "refrakt.config.json": '{"plugins":["@acme/tools"]}',
        });
        installPackages(cwd, [{ name: "tools", plugin: plugin("ours") }], "@acme");
        // Deno itself reads that scope's registry from the user's own settings.
        for (const mode of [FROM_DISK, FROM_REGISTRY]) {
          await server.serve(
            cwd,
            mode,
            async ({ ok, call }) => {
              const report = await detected(ok);
              assert.doesNotMatch(JSON.stringify(report), /very-secret/);
              if (mode === FROM_DISK) {
                assert.deepEqual(shown(report.plugins), [
                  ["@acme/tools", "1.0.0", "project", "node_modules/@acme/tools"],
                ]);
                assert.deepEqual(await ok("tools_greet"), { from: "ours" });
                return;
              }
              const text = JSON.stringify(report.warnings);
              assert.match(text, /@acme\/tools was not loaded: it is not in the scope/);
              assert.equal((await call("tools_greet")).isError, true);
            },
            theirs.env,
            ["--trust"],
          );
        }
        assert.deepEqual(theirs.asked, []);
      } finally {
        await theirs.stop();
      }
    },
  );

  await test.step("runes too old for a site are rejected with the supported versions", async () => {
    const version = (name: string, text: string) => ({
      [`node_modules/@refrakt-md/${name}/package.json`]:
        `{"name":"@refrakt-md/${name}","version":"0.11.3","type":"module","main":"index.js"}`,
      [`node_modules/@refrakt-md/${name}/index.js`]: text,
    });
    const cwd = makeProject({
      ...version("runes", "export const runes = {}, tags = {}, mergePackages = () => ({});\n"),
      ...version("transform", "export const createTransform = () => (node) => node;\n"),
      ...version("content", "export {};\n"),
      "node_modules/@markdoc/markdoc/package.json":
        '{"name":"@markdoc/markdoc","version":"0.4.0","main":"index.js"}',
      "node_modules/@markdoc/markdoc/index.js": "module.exports = {};\n",
      "package.json": '{"dependencies":{"@refrakt-md/runes":"0.11.3"}}',
      "refrakt.config.json": '{"site":{"contentDir":"content"}}',
      "content/index.md": "# Old\n",
    });
    const { stdout } = await server.run(cwd, FROM_DISK, "doctor", "--trust");
    const said = stdout.replaceAll(/\s+/g, " ");
    assert.match(said, /runes 0\.11\.3 \(from node_modules\) is not supported: it has no mergeP/);
    assert.match(said, /Sites work with @refrakt-md\/runes 0\.24 and newer/);
    assert.match(said, /start --trust loads the packages that the project has installed/);
  });
});
