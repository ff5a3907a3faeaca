import assert from "node:assert/strict";
import { join } from "node:path";
import { makeProject, SMALL_PLAN } from "../../support/project.ts";
import { example, READ_ONLY, refrakt } from "../../support/run.ts";
import { README_PERMISSIONS } from "../../support/server.ts";

/** What doctor prints, on one line. */
const doctorIn = async (cwd: string, grants: readonly string[] = README_PERMISSIONS) =>
  (await refrakt(cwd, ["doctor"], { grants })).stdout.replaceAll(/\s+/g, " ");

Deno.test("doctor prints the report of refrakt_detect and exits with 0", async () => {
  const cwd = example("site-and-plan");
  const detected = JSON.parse((await refrakt(cwd, ["call", "refrakt_detect"])).stdout);
  const { code, stdout, stderr } = await refrakt(cwd, ["doctor", "--json"]);
  assert.equal(code, 0, stderr);
  // `npx … task test` adds its Deno to the PATH of the tests only.
  const deno = /[\\/]_npx[\\/]/.test(Deno.execPath()) ? `npx -y deno@${Deno.version.deno}` : "deno";
  const command = `${deno} run --no-config --no-prompt --allow-read=. --allow-write=plan ` +
    "--allow-run=git jsr:@refrakt/mcp@0.2";
  const { cacheBytes, ...report } = JSON.parse(stdout);
  assert.ok(cacheBytes >= 0);
  assert.deepEqual(report, { healthy: true, command, detection: detected });
  const printed = (await refrakt(cwd, ["doctor"])).stdout;
  assert.equal(printed.split("\n")[0], command);
  const text = printed.replaceAll(/\s+/g, " ");
  const facts = [
    `ok project ${cwd}`,
    `ok server ${detected.versions.server} on Deno ${Deno.version.deno}`,
    "ok plan plan/ with 7 files",
    "ok sites main",
    "ok plugin @refrakt-md/plan 0.25.1 (package.json): ",
    `ok tools ${detected.tools.length}`,
    "ok start The project needs no --trust: ",
    "ok permission --allow-write=plan",
    "ok kind plan: plan_next",
    "ok kind site: refrakt_check",
  ];
  for (const fact of facts) assert.ok(text.includes(fact), `${fact} in ${text}`);
});

Deno.test("doctor lists each missing permission", async () => {
  const { code, stdout } = await refrakt(example("plan"), ["doctor", "--plugin", "ralph"], {
    grants: READ_ONLY,
  });
  assert.equal(code, 0);
  const missing = [...stdout.matchAll(/^ {2}warn {2}permission +(\S+) is missing here;/gm)];
  assert.deepEqual(
    missing.map(([, flag]) => flag),
    ["--allow-write=plan", "--allow-write=specs", "--allow-write=.gitignore", "--allow-run=git"],
  );
});

Deno.test("doctor exits with 1 if the project has errors, and says how to fix them", async () => {
  const site = { contentDir: "content", theme: "@refrakt-md/no-such-theme" };
  const cases: [config: string, messages: RegExp[]][] = [
    ["{ not json", [/FAIL CONFIG_INVALID .*not valid JSON.*line 1/]],
    [
      JSON.stringify({
        plugins: ["@refrakt-md/no-such-plugin"],
        plan: { dir: "roadmap" },
        sites: { docs: site, main: site },
      }),
      [
        /FAIL PLUGIN_LOAD_FAILED .*no-such-plugin/,
        /FAIL SITE_BROKEN Sites docs, main: .*no-such-theme/,
        /FAIL PATH_MISSING The plan's folder "roadmap" does not exist\. "plan" holds a plan: rename/,
      ],
    ],
    [
      JSON.stringify({ site: { contentDir: "pages", theme: "./theme" } }),
      [
        /The pages of site "main" should be in "pages", .* "content" looks like it: /,
        /The theme of site "main" should be in "theme", .* "themes\/mine" looks like it/,
      ],
    ],
  ];
  for (const [config, messages] of cases) {
    const cwd = makeProject({
      ...SMALL_PLAN,
      "refrakt.config.json": config,
      "content/index.md": "# Hi\n",
      "themes/mine/manifest.json": '{"layouts":{}}',
    });
    const { code, stdout } = await refrakt(cwd, ["doctor"]);
    for (const message of messages) assert.match(stdout.replaceAll(/\s+/g, " "), message);
    assert.equal(code, 1);
  }
});

Deno.test("doctor names what needs --trust, and the overrides and patches that it ignores", async () => {
  const overrides = { yaml: "2.0.0" };
  const cwd = makeProject({
    ...SMALL_PLAN,
    "package.json": JSON.stringify({ overrides, pnpm: { patchedDependencies: { "a@1": "x" } } }),
    "patches/@refrakt-md+plan+0.25.1.patch": "",
    "refrakt.config.json": JSON.stringify({ plugins: ["@acme/x"] }),
  });
  const said = await doctorIn(cwd);
  assert.match(
    said,
    /start The project needs --trust for @acme\/x, not in the scope @refrakt-md\./,
  );
  assert.match(said, /ignored without --trust: "yaml", "a@1", "@refrakt-md\/plan@0\.25\.1"/);
});

Deno.test("where the config does not parse, doctor does not say that there is no plan", async () => {
  const cwd = makeProject({ "refrakt.config.json": '{\n "plan": { "dir": "docs/plan" } <<<' });
  const said = await doctorIn(cwd);
  assert.match(said, /plan unknown\. It may have one: refrakt\.config\.json is not valid JSON/);
  assert.match(said, /sites unknown/);
  const { stderr } = await refrakt(cwd, ["call", "plan_init"]);
  assert.match(stderr, /CONFIG_INVALID.*\(line 2 column 33\)\nFix refrakt\.config\.json first/);
  assert.deepEqual([...Deno.readDirSync(cwd)].map(({ name }) => name), ["refrakt.config.json"]);
});

Deno.test("in a member of a workspace, doctor says what its command reads, and how to read more", async () => {
  const manifest = JSON.stringify({ name: "@acme/x", version: "1.0.0", exports: "./x.js" });
  const root = makeProject({
    "package.json": '{ "workspaces": ["packages/*"] }',
    "node_modules/@acme/x/package.json": manifest,
    "packages/docs/package.json": '{ "devDependencies": { "@acme/x": "1.0.0" } }',
    "packages/docs/refrakt.config.json": '{ "plugins": ["@acme/x"] }',
  });
  const cwd = join(root, "packages/docs");
  const alone = await doctorIn(cwd);
  assert.match(alone, /packages the command reads nothing above this folder/);
  assert.match(alone, /run doctor with --allow-read=<the workspace's folder>/);
  assert.doesNotMatch(alone, /npm install|Add it there|--trust loads it/);
  const grants = ["--no-prompt", "--allow-read=../.."];
  const whole = await doctorIn(cwd, grants);
  assert.match(
    whole,
    /--node-modules-dir=manual --no-prompt --allow-read=\.,\.\.\/\.\. .* --trust/,
  );
  assert.match(whole, /packages the command reads \.\.\/\.\., where they are installed/);
  assert.match(whole, /--trust loads it/);
  assert.doesNotMatch(whole, /npm install|is not installed/);
});
