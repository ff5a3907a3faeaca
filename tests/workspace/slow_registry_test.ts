import assert from "node:assert/strict";
import { configFor, manifestFor, startRegistry } from "../support/registry.ts";
import { makeProject, SMALL_PLAN } from "../support/project.ts";
import { ROOT, withServer } from "../support/server.ts";

const TRUST = ["--trust", "all"];
const command = (namespace: string) =>
  `export default { namespace: "${namespace}", commands: [{
    name: "greet", description: "Says hello to somebody.", mcpHandler: () => ({ hello: true }),
  }] };`;

/** A project whose config names the plan plugin and made-up ones. */
function project(...names: string[]): string {
  return makeProject({
    ...SMALL_PLAN,
    "refrakt.config.json": JSON.stringify({
      plugins: ["@refrakt-md/plan", ...JSON.parse(configFor(...names)).plugins],
    }),
    "package.json": JSON.stringify({
      dependencies: Object.fromEntries(
        names.map((name) => [`@made-up/${name}`, "^1.0.0"]),
      ),
    }),
  });
}

Deno.test("lists and reports do not wait for a slow registry, and each plugin joins when it is there", async () => {
  let release = () => {};
  const held = new Promise<undefined>((resolve) => release = () => resolve(undefined));
  const registry = await startRegistry([
    { name: "quick", plugin: command("quick") },
    { name: "slow", plugin: command("slow") },
  ], { intercept: (path) => path.endsWith("slow-1.0.0.tgz") ? held : undefined });
  try {
    await withServer(project("quick", "slow"), async ({ ok, tools, client }) => {
      // The archive of one plugin does not come: everything else is answered without it.
      await client.listPrompts();
      await client.listResources();
      assert.equal(typeof (await ok("refrakt.version")).server, "string");
      const report = await ok("refrakt.detect");
      const loading = report.warnings.find(({ code }: { code: string }) =>
        code === "PLUGINS_LOADING"
      );
      assert.match(loading?.message ?? "", /@made-up\/slow/);
      assert.equal((await ok("plan.next")).items[0].id, "WORK-001");
      assert.ok(!(await tools()).includes("slow.greet"));

      const joined = Promise.withResolvers<void>();
      client.fallbackNotificationHandler = async ({ method }: { method: string }) => {
        if (method !== "notifications/tools/list_changed") return;
        if ((await tools()).includes("slow.greet")) joined.resolve();
      };
      release();
      await joined.promise;
      assert.ok((await tools()).includes("quick.greet"));
      assert.deepEqual(await ok("slow.greet"), { hello: true });
      assert.deepEqual((await ok("refrakt.detect")).warnings, []);
    }, { args: TRUST, env: registry.env });
  } finally {
    release();
    await registry.stop();
  }
});

Deno.test("a registry that never answers: a call says that it waits, and ends at the time limit", async () => {
  const never = Promise.withResolvers<undefined>();
  const registry = await startRegistry([{ name: "absent", plugin: command("absent") }], {
    intercept: (path) => path.endsWith(".tgz") ? never.promise : undefined,
  });
  const cwd = makeProject({
    "refrakt.config.json": configFor("absent"),
    "package.json": manifestFor("absent"),
  });
  try {
    await withServer(cwd, async ({ client, ok, stderr }) => {
      const told: { progress: number; message?: string }[] = [];
      const answer = await client.callTool({ name: "absent.greet" }, undefined, {
        onprogress: (update: { progress: number; message?: string }) => told.push(update),
      });
      assert.equal(answer.errorCode, "PLUGIN_LOAD_FAILED");
      assert.match(answer.content[0].text, /@made-up\/absent .*not there after 1 s\n/);
      assert.ok(told.some(({ message }) => message === "Still being loaded: @made-up/absent"));
      assert.match(stderr(), /"logger":"tools\/call","data":\{"message":"Still being loaded: /);
      const [warning] = (await ok("refrakt.detect")).warnings;
      assert.match(warning.hint, /--timeout/);
    }, { args: [...TRUST, "--timeout", "1"], env: registry.env });
  } finally {
    never.resolve(undefined);
    await registry.stop();
  }
});

Deno.test("plugins that could not be had come back by themselves when the registry does", async () => {
  let isBack = false;
  const registry = await startRegistry([
    { name: "exact", plugin: command("exact") },
    { name: "ranged", plugin: command("ranged") },
    { name: "silent" },
  ], { intercept: () => isBack ? undefined : new Response("<html>Please sign in</html>") });
  const cwd = makeProject({
    "refrakt.config.json": configFor("exact", "ranged", "silent"),
    "package.json": JSON.stringify({
      dependencies: {
        "@made-up/exact": "1.0.0",
        "@made-up/ranged": "^1.0.0",
        "@made-up/silent": "1.0.0",
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
    }, { args: TRUST, env: registry.env });
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

Deno.test("a plugin whose dependency cannot be downloaded takes nothing else along", async () => {
  const registry = await startRegistry([
    {
      name: "broken",
      plugin: `import "@made-up/part";\n${command("broken")}`,
      dependencies: { "@made-up/part": "1.0.0" },
    },
    { name: "part" },
    { name: "sound", plugin: command("sound") },
  ], {
    intercept: (path) =>
      path.endsWith("part-1.0.0.tgz") ? new Response("gone", { status: 404 }) : undefined,
  });
  try {
    await withServer(project("broken", "sound"), async ({ ok, call, tools }) => {
      await tools();
      assert.deepEqual(await ok("sound.greet"), { hello: true });
      assert.equal((await ok("plan.next")).items[0].id, "WORK-001");
      // A call of what is not there waits until nothing more can come.
      await call("broken.greet");
      const [warning] = (await ok("refrakt.detect")).warnings;
      assert.match(warning.message, /@made-up\/broken.*@made-up\/part.*could not be downloaded/);
    }, { args: TRUST, env: registry.env });
  } finally {
    await registry.stop();
  }
});

Deno.test("without a network what was downloaded before works, and the hint says what is missing", async () => {
  const cwd = project("absent");
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
    assert.match(warning.message, /@made-up\/absent.*the registry cannot be reached/);
    assert.match(warning.hint, /connect to the network/);
  }, { args: TRUST, env });
});
