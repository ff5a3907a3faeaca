import assert from "node:assert/strict";
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
    assert.equal((await ok("plan_update", { id: "WORK-001", priority: "low" })).changes.length, 1);
    assert.ok((await tools()).includes("plan_next"));
  }, { env: OFFLINE });
  await t.step("and missing ones are reported", async () => {
    const packageJson = JSON.stringify({ dependencies: { "@refrakt-md/plan": "0.0.1" } });
    await withServer(
      makeProject({ ...SMALL_PLAN, "package.json": packageJson }),
      async ({ call }) => {
        const { errorCode, hint } = await call("plan_next");
        assert.equal(errorCode, "PLUGIN_LOAD_FAILED");
        assert.ok(hint);
      },
      { env: OFFLINE },
    );
  });
  await t.step("and one that npm does not answer for is named within five seconds", async () => {
    const never = Promise.withResolvers<Response>();
    const intercept = () => never.promise.then((response) => response.clone());
    const registry = await startRegistry([], { scope: "@refrakt-md", intercept });
    try {
      await withServer(makeProject(SMALL_PLAN), async ({ call, stderr }) => {
        assert.equal((await call("plan_next")).errorCode, "PLUGIN_LOAD_FAILED");
        assert.match(stderr(), /Waiting for npm: @refrakt-md\/plan 0\.25\.1 is not in .* warm /);
      }, { args: ["--timeout", "5"], env: registry.env });
    } finally {
      never.resolve(new Response(""));
      await registry.stop();
    }
  });
});
