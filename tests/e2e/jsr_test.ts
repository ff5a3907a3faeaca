import { Client } from "../support/npm/client_v1.ts";
import { StdioClientTransport } from "../support/npm/client_v1.ts";
import assert from "node:assert/strict";
import { publishToRegistry } from "../support/jsr.ts";
import { commitAll, makeProject, readTree, SMALL_PLAN, writeFiles } from "../support/project.ts";
import { childEnvironment, README_PERMISSIONS } from "../support/server.ts";
import { temporaryFolder } from "../support/temporary.ts";

/** Runs the published server in a directory, as its documented command does. */
async function run(
  url: string,
  cwd: string,
  denoDir: string,
  flags: readonly string[],
  args: readonly string[],
): Promise<{ code: number; stdout: string; stderr: string }> {
  const output = await new Deno.Command(Deno.execPath(), {
    args: ["run", ...flags, ...args],
    cwd,
    env: { ...childEnvironment(), JSR_URL: url, DENO_DIR: denoDir },
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code: output.code, stdout: text(output.stdout), stderr: text(output.stderr) };
}

Deno.test("the published package runs from a registry in every kind of project", async (t) => {
  await using registry = await publishToRegistry();
  const { url } = registry;
  const denoDir = temporaryFolder();
  const flags = ["--no-config", ...README_PERMISSIONS];

  await t.step("the package holds the program and no tests", () => {
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
    "a Deno project": () =>
      makeProject({
        ...SMALL_PLAN,
        "deno.json": JSON.stringify({ imports: { zod: "npm:zod@3.0.0" }, lock: true }),
      }),
    "a sub-directory of a project": () => {
      const root = makeProject({ "package.json": JSON.stringify({ name: "root" }) });
      writeFiles(`${root}/packages/site`, SMALL_PLAN);
      return `${root}/packages/site`;
    },
  };
  for (const [name, make] of Object.entries(projects)) {
    for (const warmth of ["cold", "warm"]) {
      await t.step(`it serves in ${name}, ${warmth}, and writes nothing there`, async () => {
        const cwd = make();
        const before = readTree(cwd);
        const cache = warmth === "warm" ? denoDir : temporaryFolder();
        const { code, stdout, stderr } = await run(url, cwd, cache, flags, [
          "jsr:@refrakt/mcp",
          "call",
          "refrakt.detect",
        ]);
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
      const { code, stderr } = await run(url, cwd, denoDir, [...flags, ...README_PERMISSIONS], [
        "jsr:@refrakt/mcp",
        "call",
        "refrakt.version",
      ]);
      assert.equal(code, 0, stderr);
      assert.deepEqual(readTree(cwd), before);
    });
  }

  /** Connects a client to the published server. */
  const withClient = async (
    cwd: string,
    args: readonly string[],
    use: (client: Client) => Promise<void>,
  ) => {
    const transport = new StdioClientTransport({
      command: Deno.execPath(),
      args: ["run", ...args],
      cwd,
      env: { ...childEnvironment(), JSR_URL: url, DENO_DIR: denoDir },
      stderr: "ignore",
    });
    const client = new Client({ name: "test", version: "1.0.0" });
    await client.connect(transport);
    try {
      await use(client);
    } finally {
      await client.close();
    }
  };

  await t.step("a client works the plan through the published server", async () => {
    const cwd = makeProject({ ...SMALL_PLAN, "package.json": "{}" });
    commitAll(cwd, "Start");
    await withClient(cwd, [...flags, "jsr:@refrakt/mcp"], async (client) => {
      const next = await client.callTool({ name: "plan.next" });
      const { items } = next.structuredContent as { items: { id: string }[] };
      assert.deepEqual(items.map((item) => item.id), ["WORK-001"]);
      const history = await client.callTool({
        name: "plan.history",
        arguments: { id: "WORK-001" },
      });
      assert.equal((history.structuredContent as { total: number }).total, 1);
    });
  });

  await t.step("a site and its local runes are read from a Worker, as recommended", async () => {
    const cwd = makeProject({
      "refrakt.config.json": JSON.stringify({
        site: { contentDir: ".", runes: { local: { mood: "./mood.mjs" } } },
      }),
      "mood.mjs": `export const transform = {
        attributes: { ["git_is_" + Deno.permissions.querySync({ name: "run", command: "git" }).state]: { type: String } },
        transform: () => "calm",
      };`,
    });
    const { host } = new URL(url);
    const launch = [
      "--unstable-worker-options",
      `--allow-import=jsr.io:443,${host}`,
      "--no-config",
      "--no-prompt",
      "--allow-read=.",
      "--allow-run=git",
      "jsr:@refrakt/mcp",
      "--isolate",
    ];
    await withClient(cwd, launch, async (client) => {
      const inspected = await client.callTool({
        name: "refrakt.inspect",
        arguments: { rune: "mood" },
      });
      assert.ok(!inspected.isError, JSON.stringify(inspected));
      const reference = await client.callTool({
        name: "refrakt.reference",
        arguments: { rune: "mood" },
      });
      assert.match(JSON.stringify(reference), /git_is_(denied|prompt)/);
    });
  });

  await t.step("the Ralph workflow runs alone", async () => {
    const cwd = makeProject({ "package.json": "{}" });
    const grants = [
      "--no-config",
      "--no-prompt",
      "--allow-read=.",
      "--allow-write=specs,.gitignore",
    ];
    await withClient(cwd, [...grants, "jsr:@refrakt/mcp/ralph"], async (client) => {
      const { tools } = await client.listTools() as { tools: { name: string }[] };
      assert.ok(tools.every((tool) => /^ralph_|^refrakt.more$/.test(tool.name)));
      const started = await client.callTool({
        name: "ralph_start",
        arguments: { name: "demo", goal: "Show that it runs" },
      });
      assert.equal(started.isError, undefined);
      assert.ok("specs/demo/.ralph-state.json" in readTree(cwd));
    });
  });

  for (
    const [entry, args] of [["jsr:@refrakt/mcp", ["list"]], ["jsr:@refrakt/mcp/ralph", []]] as const
  ) {
    await t.step(`${entry} starts without --no-config in an npm project`, async () => {
      const cwd = makeProject({ "package.json": JSON.stringify({ dependencies: { a: "1.0.0" } }) });
      const { code, stderr } = await run(url, cwd, denoDir, README_PERMISSIONS, [entry, ...args]);
      assert.equal(code, 0, stderr);
    });
  }
});
