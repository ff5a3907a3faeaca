import assert from "node:assert/strict";
import { detected } from "../support/detected.ts";
import { makeProject, SMALL_PLAN } from "../support/project.ts";
import { startRegistry } from "../support/registry.ts";
import { inProcess } from "../support/in_process.ts";
import { childEnvironment, withServer } from "../support/server.ts";

/** Sends every request to a proxy that does not exist. */
const OFFLINE = {
  ...childEnvironment(),
  ...Object.fromEntries(
    ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"]
      .map((name) => [name, "http://127.0.0.1:9"]),
  ),
  NO_PROXY: "",
  no_proxy: "",
};

Deno.test("cached packages work without a network", async (t) => {
  const cwd = makeProject(SMALL_PLAN);
  await inProcess(cwd, async ({ ok }) => void await ok("plan_next"));
  await withServer(cwd, async ({ ok, tools }) => {
    assert.equal((await ok("plan_next")).items.length, 1);
    assert.equal((await ok("plan_update", { id: "WORK-001", priority: "low" })).changed, 1);
    assert.ok((await tools()).includes("plan_next"));
  }, { env: OFFLINE });
  await t.step("and missing ones are reported, each although only one is asked for", async () => {
    const names = ["learning", "places", "business"].map((name) => `@refrakt-md/${name}`);
    const versions = Object.fromEntries(
      [...names, "@refrakt-md/plan"].map((name) => [name, "0.0.1"]),
    );
    const project = makeProject({
      ...SMALL_PLAN,
      "package.json": JSON.stringify({ dependencies: versions }),
      "refrakt.config.json": JSON.stringify({ plugins: names }),
    });
    await withServer(project, async ({ call, ok }) => {
      const { errorCode, hint } = await call("plan_next");
      assert.deepEqual([errorCode, hint !== undefined], ["PLUGIN_LOAD_FAILED", true]);
      const { warnings } = await detected(ok);
      const said = warnings.map(({ message }: { message: string }) => message).join("\n");
      for (const name of names) {
        assert.match(said, new RegExp(`${name} could not be downloaded: the registry cannot be r`));
      }
    }, { env: OFFLINE });
  });
  await t.step("and those that npm does not answer for are named within five seconds", async () => {
    const never = Promise.withResolvers<Response>();
    const intercept = () => never.promise.then((response) => response.clone());
    const registry = await startRegistry([], { scope: "@refrakt-md", intercept });
    try {
      const plugins = '{ "plugins": ["@refrakt-md/learning"] }';
      const project = makeProject({ ...SMALL_PLAN, "refrakt.config.json": plugins });
      await withServer(project, async ({ call, stderr }) => {
        assert.equal((await call("plan_status")).errorCode, "PLUGIN_LOAD_FAILED");
        const sentences = [...stderr().matchAll(/^Waiting for npm: .* warm .*$/gm)].map(String);
        assert.equal(sentences.length, 1, stderr());
        for (const name of ["plan", "learning"]) {
          assert.ok(sentences[0]!.includes(`@refrakt-md/${name} 0.25.1`), sentences[0]);
        }
      }, { args: ["--timeout", "5"], env: registry.env });
    } finally {
      never.resolve(new Response(""));
      await registry.stop();
    }
  });
});
