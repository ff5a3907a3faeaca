/** Plugins that load late, because of a slow registry or import. */

import assert from "node:assert/strict";
import { installPackages } from "../support/installed.ts";
import { configFor, manifestFor, startRegistry } from "../support/registry.ts";
import { makeProject, SMALL_PLAN, writeFiles } from "../support/project.ts";
import { publish } from "../support/published.ts";
import { README_PERMISSIONS, type Session, withServer } from "../support/server.ts";
import { temporaryFile } from "../support/temporary.ts";

const plugin = (namespace: string, before = "") =>
  `${before}\nexport default { namespace: "${namespace}", commands: [{
    name: "greet", description: "Says hello to somebody.", mcpHandler: () => ({ hello: true }),
  }] };`;

/** A project with a plan and installed plugins of another publisher. */
function projectWith(plugins: Readonly<Record<string, string>>): string {
  const names = Object.keys(plugins);
  const files = {
    "package.json": manifestFor(...names),
    "refrakt.config.json": configFor(...names),
  };
  const cwd = makeProject({ ...SMALL_PLAN, ...files });
  installPackages(cwd, Object.entries(plugins).map(([name, plugin]) => ({ name, plugin })));
  return cwd;
}

Deno.test("the first list does not wait for late plugins, and all that come later are one change", async () => {
  await using published = await publish();
  const names = async ({ client }: Session) =>
    (await client.listTools()).tools.map(({ name }: { name: string }) => name);
  // They load as long as their file is not there, however slow the machine is.
  const waiting = (file: string) =>
    `for (let isThere = false; !isThere;) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    try { Deno.statSync("${file}"); isThere = true; } catch {}
  }`;
  const cwd = projectWith({
    late: plugin("late", waiting("first")),
    later: plugin("later", waiting("second")),
  });
  await withServer(cwd, async (session) => {
    const joined = Promise.withResolvers<void>();
    const changes: string[][] = [];
    session.client.fallbackNotificationHandler = async ({ method }: { method: string }) => {
      if (method !== "notifications/tools/list_changed") return;
      changes.push(await names(session));
      joined.resolve();
    };
    const listed = await names(session);
    const isLate = (name: string) => name.startsWith("late");
    assert.ok(listed.includes("plan_next") && !listed.some(isLate));
    writeFiles(cwd, { first: "" });
    // Longer than the lists are compared.
    await new Promise((resolve) => setTimeout(resolve, 2500));
    assert.deepEqual(await names(session), listed);
    writeFiles(cwd, { second: "" });
    await joined.promise;
    assert.deepEqual(changes.map((tools) => tools.filter(isLate)), [["late_greet", "later_greet"]]);
    assert.deepEqual(await session.ok("late_greet"), { hello: true });
  }, published.options(["--trust"]));
});

Deno.test("a plugin that could not be downloaded loads when the registry is back", async () => {
  let isBack = false;
  const registry = await startRegistry([{ name: "made-up", plugin: plugin("made") }], {
    scope: "@refrakt-md",
    intercept: () => isBack ? undefined : new Response("<html>Please sign in</html>"),
  });
  const cwd = makeProject({
    "refrakt.config.json": JSON.stringify({ plugins: ["@refrakt-md/made-up"] }),
    "package.json": JSON.stringify({ dependencies: { "@refrakt-md/made-up": "1.0.0" } }),
  });
  // Lists try again after a minute, of which six seconds will do.
  const clock = temporaryFile(
    "clock.js",
    `const now = performance.now.bind(performance);
     performance.now = () => 10 * now();`,
  );
  try {
    await withServer(cwd, async ({ client, call, ok, tools }) => {
      const joined = Promise.withResolvers<void>();
      client.fallbackNotificationHandler = async ({ method }: { method: string }) => {
        if (method !== "notifications/tools/list_changed") return;
        if ((await tools()).includes("made_greet")) joined.resolve();
      };
      assert.ok(!(await tools()).includes("made_greet"));
      const answer = await call("made_greet");
      assert.equal(answer.isError, true);
      isBack = true;
      await joined.promise;
      assert.deepEqual(await ok("made_greet"), { hello: true });
      assert.deepEqual((await ok("refrakt_detect")).warnings, []);
    }, { env: registry.env, grants: [`--preload=${clock}`, ...README_PERMISSIONS] });
  } finally {
    await registry.stop();
  }
});

Deno.test("a package that never finishes loading is reported after --timeout", async () => {
  const never = "await new Promise(() => {});";
  const cwd = projectWith({ stuck: plugin("stuck", never) });
  await using published = await publish();
  await withServer(cwd, async ({ call }) => {
    // The report itself waits five seconds at most.
    let report = "";
    while (!report.includes("after 5 s")) report = JSON.stringify(await call("refrakt_detect"));
    assert.match(report, /@made-up\/stuck had not loaded after 5 s/);
  }, published.options(["--trust", "--timeout=5"]));
});
