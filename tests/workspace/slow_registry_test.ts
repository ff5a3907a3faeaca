import assert from "node:assert/strict";
import { startRegistry } from "../support/registry.ts";
import { makeProject, SMALL_PLAN } from "../support/project.ts";
import { ROOT, withServer } from "../support/server.ts";

const command = (namespace: string) =>
  `export default { namespace: "${namespace}", commands: [{
    name: "greet", description: "Says hello to somebody.", mcpHandler: () => ({ hello: true }),
  }] };`;

Deno.test("plugins that could not be had come back by themselves when the registry does", async () => {
  let isBack = false;
  const registry = await startRegistry([
    { name: "exact", plugin: command("exact") },
    { name: "ranged", plugin: command("ranged") },
    { name: "silent" },
  ], {
    scope: "@refrakt-md",
    intercept: () => isBack ? undefined : new Response("<html>Please sign in</html>"),
  });
  const cwd = makeProject({
    "refrakt.config.json": JSON.stringify({
      plugins: ["exact", "ranged", "silent"].map((name) => `@refrakt-md/${name}`),
    }),
    "package.json": JSON.stringify({
      dependencies: {
        "@refrakt-md/exact": "1.0.0",
        "@refrakt-md/ranged": "^1.0.0",
        "@refrakt-md/silent": "1.0.0",
      },
    }),
  });
  try {
    await withServer(cwd, async ({ client, call, ok, tools }) => {
      const joined = Promise.withResolvers<void>();
      client.fallbackNotificationHandler = async ({ method }: { method: string }) => {
        if (method !== "notifications/tools/list_changed") return;
        if ((await tools()).includes("exact.greet")) joined.resolve();
      };
      assert.ok(!(await tools()).includes("exact.greet"));
      const answer = await call("exact.greet");
      assert.equal(answer.errorCode, "PLUGIN_LOAD_FAILED");
      assert.match(answer.hint!, /tries again by itself/);
      isBack = true;
      await joined.promise;
      assert.deepEqual(await ok("exact.greet"), { hello: true });
      assert.deepEqual(await ok("ranged.greet"), { hello: true });
      // What has no commands is none that failed.
      assert.deepEqual((await ok("refrakt.detect")).warnings, []);
    }, { env: registry.env });
  } finally {
    await registry.stop();
  }
});

Deno.test("a registry that says nothing about refrakt's own packages: a site's tools say so and go on", async () => {
  const gone = Promise.withResolvers<Response>();
  const registry = await startRegistry([], {
    scope: "@refrakt-md",
    intercept: () => gone.promise.then((response) => response.clone()),
  });
  const cwd = makeProject({
    "refrakt.config.json": JSON.stringify({
      site: { contentDir: "content", plugins: ["@refrakt-md/marketing"] },
    }),
  });
  const grants = ["--unstable-worker-options", "--no-prompt", `--allow-read=.,${ROOT}`];
  try {
    // The Worker that waits is not ended before it can say what for.
    await withServer(cwd, async ({ call }) => {
      const answer = await call("refrakt.inspect", { rune: "hint" });
      assert.match(answer.content[0].text, /@refrakt-md\/\S+ was not there after \S+ s/);
    }, { grants, args: ["--isolate", "--timeout", "8"], env: registry.env });
    await withServer(cwd, async ({ call, ok, tools }) => {
      assert.ok((await tools()).includes("refrakt.inspect"));
      // It asks for no package of the site.
      assert.equal(typeof (await ok("refrakt.version")).server, "string");
      const { sites, warnings } = await ok("refrakt.detect");
      assert.deepEqual(sites, [{ site: "main" }]);
      for (const { message } of warnings) {
        assert.match(message, /@refrakt-md\/marketing|of site main/);
      }
      for (const attempt of ["first", "second"]) {
        const answer = await call("refrakt.inspect", { rune: "hint" });
        assert.equal(answer.errorCode, "PLUGIN_LOAD_FAILED", attempt);
        assert.match(answer.content[0].text, /@refrakt-md\/\S+ was not there after 1 s/);
        assert.match(answer.hint!, /--timeout/);
      }
      gone.resolve(new Response("<html>Please sign in</html>"));
      const answer = await call("refrakt.inspect", { rune: "hint" });
      assert.match(answer.content[0].text, /could not be downloaded: .* describes no package/);
      assert.match(answer.hint!, /proxy/);
    }, { args: ["--timeout", "1"], env: registry.env });
  } finally {
    gone.resolve(new Response(""));
    await registry.stop();
  }
});

Deno.test("without a network what was downloaded before works, and the hint says what is missing", async () => {
  const cwd = makeProject({
    ...SMALL_PLAN,
    "refrakt.config.json": '{"plugins":["@refrakt-md/plan","@refrakt-md/absent"]}',
  });
  const closed = "http://127.0.0.1:1";
  const env = {
    ...Deno.env.toObject(),
    HTTPS_PROXY: closed,
    HTTP_PROXY: closed,
    https_proxy: closed,
    http_proxy: closed,
    NO_COLOR: "1",
  };
  await withServer(cwd, async ({ ok, call }) => {
    assert.equal((await ok("plan.next")).items[0].id, "WORK-001");
    await call("absent.greet");
    const { warnings, plugins } = await ok("refrakt.detect");
    assert.equal(plugins[0].packageName, "@refrakt-md/plan");
    const [warning] = warnings;
    assert.match(warning.message, /@refrakt-md\/absent.*the registry cannot be reached/);
    assert.match(warning.hint, /connect to the network/);
  }, { env });
});
