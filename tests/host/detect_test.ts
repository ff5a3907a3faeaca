import assert from "node:assert/strict";
import { join } from "node:path";
import { BUNDLED } from "../../src/bundled.ts";
import { instructionsFor } from "../../src/host/detect.ts";
import { openProject } from "../../src/host/open_project.ts";
import { detected } from "../support/detected.ts";
import {
  type Files,
  makeProject,
  PLAN_TOOLS,
  readTree,
  SMALL_PLAN,
  writeFiles,
} from "../support/project.ts";
import { inProcess } from "../support/in_process.ts";
import { copyExample } from "../support/run.ts";
import { type Session, withServer } from "../support/server.ts";

const BASE = ["refrakt_detect", "refrakt_more"];
const CONFIG = "refrakt.config.json";
const DIR = "docs/planning";

/** The listed resources but skills. */
async function urisOf(client: Session["client"]): Promise<string[]> {
  const { resources } = await client.listResources();
  return resources.map(({ uri }: { uri: string }) => uri)
    .filter((uri: string) => !uri.startsWith("skill:"));
}

Deno.test("a plan only: the plan plugin at the default version, and only its tools", async () => {
  const cwd = makeProject(SMALL_PLAN);
  const before = readTree(cwd);
  await withServer(cwd, async ({ ok, tools, client, read }) => {
    assert.deepEqual(await tools(), [...PLAN_TOOLS, "refrakt_query", ...BASE].sort());
    const found = await detected(ok);
    assert.equal(found.cwd, cwd);
    assert.deepEqual(found.plan, { dir: "plan", fileCount: 6 });
    assert.deepEqual([found.site, found.configSource, found.warnings], [null, "autodetect", []]);
    assert.deepEqual(found.tools, await tools());
    const command = "npx --package=@refrakt-md/cli refrakt plan";
    assert.deepEqual(found.availableViaShell, [
      { name: "plan_build", command: `${command} build` },
      { name: "plan_serve", command: `${command} serve` },
    ]);
    const { read: mayRead, writePlan, writeProject, git } = found.permissions;
    assert.deepEqual([mayRead, writePlan, writeProject, git], [true, true, false, true]);
    const [plugin] = found.plugins;
    assert.deepEqual(
      [plugin.namespace, plugin.packageName, plugin.source, plugin.versionFrom],
      ["plan", "@refrakt-md/plan", "default", "default"],
    );
    assert.ok(JSON.stringify(found).length < 6000);
    assert.deepEqual(JSON.parse(await read("refrakt://detect")), found);
    const { plugins: [{ commands }] } = await ok("refrakt_plugins_list");
    const next = commands.find((command: { name: string }) => command.name === "next");
    const { hasInputSchema, hasMcpHandler, tool } = next;
    assert.deepEqual([hasInputSchema, hasMcpHandler, tool], [true, true, "plan_next"]);
    assert.equal((await ok("refrakt_version")).server, found.versions.server);
    const uris = ["detect", "plan/index", "plan/status", "prime"].map((path) =>
      `refrakt://${path}`
    );
    assert.deepEqual(await urisOf(client), uris);
    assert.match(client.getInstructions() ?? "", /plan_next/);
  });
  assert.deepEqual(readTree(cwd), before);
});

Deno.test("neither plan nor site: the base tools and plan_init; others report what is missing", async () => {
  const cwd = makeProject({ "README.md": "x\n" });
  await inProcess(cwd, async ({ tools, call, client, readError }) => {
    assert.deepEqual(await tools(), [
      "plan_init",
      "ralph_start",
      ...BASE,
      "refrakt_undo",
      "refrakt_version",
    ]);
    const cases = [
      ["plan_next plan_history", {}, "PLAN_DIR_MISSING", /plan_init/],
      ["plan_update", { id: "WORK-001", status: "done" }, "PLAN_DIR_MISSING", /plan_init/],
      ["refrakt_inspect refrakt_contracts", {}, "SITE_CONFIG_MISSING", /site/],
    ] as const;
    for (const [names, input, code, hint] of cases) {
      for (const name of names.split(" ")) {
        const answer = await call(name, input);
        assert.deepEqual([answer.errorCode, answer._meta!["errorCode"]], [code, code], name);
        assert.match(answer.hint!, hint);
      }
    }
    assert.deepEqual(await urisOf(client), ["refrakt://detect"]);
    const missing = [
      ["refrakt://plan/index", "PLAN_DIR_MISSING"],
      ["refrakt://plan/work/WORK-001", "PLAN_DIR_MISSING"],
      ["refrakt://rune/hint", "SITE_CONFIG_MISSING"],
    ] as const;
    for (const [uri, code] of missing) {
      const error = await readError(uri);
      assert.deepEqual([error.data["errorCode"], error.data["uri"]], [code, uri]);
      assert.ok(error.data["hint"]);
    }
    assert.match(client.getInstructions() ?? "", /plan_init/);
  });
  assert.deepEqual(Object.keys(readTree(cwd)), ["README.md"]);
});

Deno.test("plan.dir of the config applies, wherever it is", async () => {
  const plan = Object.fromEntries(
    Object.entries(SMALL_PLAN).map(([path, text]) => [path.replace(/^plan/, DIR), text]),
  );
  const dirs = [
    ["./docs/planning/", {}, { dir: "docs/planning", fileCount: 6 }, undefined],
    ["missing", SMALL_PLAN, null, "PATH_MISSING"],
    ["../outside", SMALL_PLAN, null, "CONFIG_INVALID"],
    ["docs/planning/work/WORK-001-first.md", {}, null, "PATH_MISSING"],
  ] as const;
  for (const [dir, extra, expected, warning] of dirs) {
    const cwd = makeProject({ ...plan, ...extra, [CONFIG]: JSON.stringify({ plan: { dir } }) });
    await inProcess(cwd, async ({ ok, call, tools }) => {
      const found = await detected(ok);
      assert.deepEqual(found.plan, expected, dir);
      assert.equal(found.configSource, "config-file");
      assert.equal(found.warnings[0]?.code, warning, JSON.stringify(found.warnings));
      assert.equal((await tools()).includes("plan_next"), expected !== null);
      if (expected === null) {
        assert.equal((await call("plan_next")).errorCode, "PLAN_DIR_MISSING");
      } else {
        assert.equal((await ok("plan_next")).items[0].id, "WORK-001");
      }
    });
  }
  const absolute = makeProject(plan);
  writeFiles(absolute, { [CONFIG]: JSON.stringify({ plan: { dir: join(absolute, DIR) } }) });
  await inProcess(absolute, async ({ ok }) => {
    assert.deepEqual((await detected(ok)).plan, { dir: "docs/planning", fileCount: 6 });
  });
});

const LOCKED = JSON.stringify({
  packages: { "node_modules/@refrakt-md/plan": { version: "0.25.1" } },
});

function manifest(name: string, version: string): string {
  return JSON.stringify({ private: true, dependencies: { [name]: version } });
}

/** The files that are written, and what the next `refrakt_detect` and, unless they stay, the lists have. */
const CHANGES: readonly [what: string, files: Files, report: string, lists?: "lists stay"][] = [
  [
    "a member's manifest",
    { "parts/a/package.json": manifest("@refrakt-md/docs", "0.25.1") },
    '"source":"dependency-scan"',
  ],
  [
    "a state file of Ralph in a folder that was there",
    { "specs/one/.ralph-state.json": "{}" },
    '"active":true',
  ],
  ["a theme's manifest", { "manifest.json": '{"layouts":{}}' }, '"kind":"theme"'],
  [
    "a new member with a plugin",
    { "parts/b/package.json": manifest("@refrakt-md/plan", "0.25.1") },
    '"packageName":"@refrakt-md/plan"',
    "lists stay",
  ],
  [
    "the version that npm has locked",
    { "package-lock.json": LOCKED },
    '"versionFrom":"package-lock.json"',
    "lists stay",
  ],
];

Deno.test("lists follow whatever detection read, and clients are notified", async () => {
  const cwd = makeProject({
    "package.json": '{"private":true,"workspaces":["parts/*"]}',
    "parts/a/package.json": "{}",
    "specs/one/notes.md": "x",
  });
  await withServer(cwd, async ({ ok, tools, client }) => {
    let told = () => {};
    client.fallbackNotificationHandler = () => Promise.resolve(told());
    for (const [at, [what, files, part, lists]] of CHANGES.entries()) {
      assert.ok(!JSON.stringify(await detected(ok)).includes(part), what);
      // The first change is noticed without lists, too.
      const isListening = at > 0;
      if (isListening) await tools();
      const changed = new Promise<void>((resolve) => told = resolve);
      writeFiles(cwd, files);
      if (isListening && lists === undefined) await changed;
      const report = JSON.stringify(await detected(ok));
      assert.ok(report.includes(part), `${what}: ${report}`);
    }
    Deno.removeSync(join(cwd, "manifest.json"));
    assert.ok(!JSON.stringify(await detected(ok)).includes('"kind":"theme"'));
  });
});

const of = (cwd: string, plugins: string[] = []) =>
  instructionsFor(openProject(cwd, { plugins }), BUNDLED);

Deno.test("the instructions contain only what applies", () => {
  const plan = of(copyExample("plan"));
  assert.ok(
    plan.includes("plan_next") && !plan.includes("refrakt_inspect") && !plan.includes("ralph_"),
  );
  const site = of(copyExample("site"));
  assert.ok(site.includes("refrakt_reference") && !site.includes("plan_next"));
  assert.match(of(copyExample("two-sites")), /^This project: sites main, blog\./);
  assert.ok(of(makeProject()).includes("plan_init"));
  assert.ok(of(makeProject(), ["ralph"]).includes("ralph_start"));
});

Deno.test("the instructions stay under two thousand characters, for any project", () => {
  const sites = Object.fromEntries(
    Array.from({ length: 300 }, (_, i) => [`site-number-${i}`, { contentDir: "c" }]),
  );
  const cwd = makeProject({
    "refrakt.config.json": JSON.stringify({ sites }),
    "plan/work/.gitkeep": "",
  });
  assert.ok(of(cwd, ["ralph"]).length < 2000, String(of(cwd, ["ralph"]).length));
});
