import assert from "node:assert/strict";
import { publishToRegistry } from "../support/jsr.ts";
import { commitAll, makeProject, readTree, SMALL_PLAN, writeFiles } from "../support/project.ts";
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

  await t.step("the package contains the program but no tests", () => {
    const paths = [...registry.files.keys()];
    assert.ok(paths.includes("/mod.ts"));
    assert.ok(paths.includes("/plugins/ralph/mod.ts"));
    assert.ok(paths.includes("/NOTICE"));
    assert.deepEqual(paths.filter((path) => /^\/(tests|bench|examples|docs|\.)/.test(path)), []);
  });

  const projects: Record<string, () => string> = {
    "an empty directory": () => makeProject(),
    "an npm project": () =>
      makeProject({
        ...SMALL_PLAN,
        "package.json": JSON.stringify({ name: "site", dependencies: { "left-pad": "1.3.0" } }),
      }),
    "a sub-directory of a project": () => {
      const root = makeProject({ "package.json": JSON.stringify({ name: "root" }) });
      writeFiles(`${root}/packages/site`, SMALL_PLAN);
      return `${root}/packages/site`;
    },
  };
  for (const [name, make] of Object.entries(projects)) {
    for (const warmth of name === "an npm project" ? ["cold", "warm"] : ["warm"]) {
      await t.step(`it works in ${name}, ${warmth}, and writes nothing there`, async () => {
        const cwd = make();
        const before = readTree(cwd);
        const cache = warmth === "warm" ? denoDir : temporaryFolder();
        const command = [...flags, "jsr:@refrakt/mcp", "call", "refrakt.detect"];
        const { code, stdout, stderr } = await run(cwd, command, cache);
        assert.equal(code, 0, stderr);
        const report = JSON.parse(stdout);
        assert.equal(report.cwd, cwd);
        assert.equal(report.plan?.fileCount, name === "an empty directory" ? undefined : 6);
        assert.deepEqual(readTree(cwd), before);
      });
    }
  }

  for (const flags of [["--no-config"], ["--no-config", "--node-modules-dir=manual"]]) {
    await t.step(`with ${flags.join(" ")} Deno writes nothing into a project`, async () => {
      const cwd = makeProject({
        "package.json": JSON.stringify({ dependencies: { "left-pad": "1.3.0" } }),
        "deno.json": JSON.stringify({ nodeModulesDir: "auto", vendor: true, lock: true }),
      });
      const before = readTree(cwd);
      const command = [...README_PERMISSIONS, "jsr:@refrakt/mcp", "call", "refrakt.version"];
      const { code, stderr } = await run(cwd, [...flags, ...command]);
      assert.equal(code, 0, stderr);
      assert.deepEqual(readTree(cwd), before);
    });
  }

  const env = { ...childEnvironment(), JSR_URL: url, DENO_DIR: denoDir };

  await t.step("a client works on the plan through the published server", async () => {
    const cwd = makeProject({ ...SMALL_PLAN, "package.json": "{}" });
    commitAll(cwd, "Start");
    await withServer(cwd, async ({ ok }) => {
      const { items } = await ok("plan.next");
      assert.deepEqual(items.map(({ id }: { id: string }) => id), ["WORK-001"]);
      assert.equal((await ok("plan.history", { id: "WORK-001" })).total, 1);
    }, { entry: "jsr:@refrakt/mcp", grants: flags, env });
  });

  await t.step("a site with local runes is served with --trust local, without git", async () => {
    const cwd = makeProject({
      "refrakt.config.json": JSON.stringify({
        site: { contentDir: ".", runes: { local: { mood: "./mood.mjs" } } },
      }),
      "mood.mjs": `export const transform = {
        attributes: { ["git_is_" + Deno.permissions.querySync({ name: "run", command: "git" }).state]: { type: String } },
        transform: () => "calm",
      };`,
    });
    const grants = ["--no-config", "--no-prompt", "--allow-read=.", "--allow-write=plan"];
    await withServer(cwd, async ({ ok }) => {
      await ok("refrakt.inspect", { rune: "mood" });
      const reference = await ok("refrakt.reference", { rune: "mood" });
      assert.match(JSON.stringify(reference), /git_is_(denied|prompt)/);
    }, { entry: "jsr:@refrakt/mcp", grants, args: ["--trust", "local"], env });
  });

  await t.step("the Ralph workflow runs alone", async () => {
    const cwd = makeProject({ "package.json": "{}" });
    const grants = ["--no-config", ...RALPH_GRANTS];
    await withServer(cwd, async ({ ok, tools }) => {
      assert.ok((await tools()).every((name) => /^ralph_|^refrakt.more$/.test(name)));
      await ok("ralph_start", { name: "demo", goal: "Show that it runs" });
      assert.ok("specs/demo/.ralph-state.json" in readTree(cwd));
    }, { entry: "jsr:@refrakt/mcp/ralph", grants, env });
  });

  const cases = [["jsr:@refrakt/mcp", ["list"]], ["jsr:@refrakt/mcp/ralph", []]] as const;
  for (const [entry, args] of cases) {
    await t.step(`${entry} starts without --no-config in an npm project`, async () => {
      const cwd = makeProject({ "package.json": JSON.stringify({ dependencies: { a: "1.0.0" } }) });
      const { code, stderr } = await run(cwd, [...README_PERMISSIONS, entry, ...args]);
      assert.equal(code, 0, stderr);
    });
  }
});
