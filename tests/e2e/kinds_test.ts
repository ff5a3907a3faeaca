/** Every kind of project, always with the command that the program itself prints. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { inProcess } from "../support/in_process.ts";
import { installReal } from "../support/installed.ts";
import { KINDS } from "../support/kinds.ts";
import { runProcess } from "../support/process.ts";
import { commitAll, makeProject, writeFiles } from "../support/project.ts";
import { publishToRegistry } from "../support/jsr.ts";
import { childEnvironment, type Session, withServer } from "../support/server.ts";
import { testUnless } from "../support/skip.ts";
import { NOT_PACKED, scaffold } from "../support/upstream.ts";

const README =
  "deno run --no-config --no-prompt --allow-read=. --allow-write=plan --allow-run=git " +
  "jsr:@refrakt/mcp@0.2";

/** Under `npx … task test`, Deno is on the PATH of the tests only. */
const COMMAND = /^(?:deno|npx -y deno@[\d.]+) run .* jsr:@refrakt\/mcp@0\.2$/;

// deno-lint-ignore no-explicit-any -- looked into freely
type Data = any;

const registry = await publishToRegistry();
Deno.test.afterAll(async () => await registry[Symbol.asyncDispose]());

async function run(cwd: string, command: string, ...args: string[]) {
  const line = [command, ...args.map((arg) => `'${arg}'`)].join(" ");
  return await runProcess("sh", ["-c", line], cwd, undefined, { JSR_URL: registry.url });
}

async function doctorOf(cwd: string, command: string): Promise<Data> {
  const { stdout, stderr } = await run(cwd, command, "doctor", "--json");
  assert.ok(stdout.startsWith("{"), stderr);
  return JSON.parse(stdout);
}

const served = (cwd: string, command: string, test: (session: Session) => Promise<void>) =>
  withServer(cwd, test, {
    prefix: ["sh", "-c", `exec ${command}`, "sh"],
    env: { ...childEnvironment(), JSR_URL: registry.url },
  });

async function projectOf(kind: string): Promise<string> {
  const { files, bare } = KINDS[kind]!;
  const cwd = makeProject(files);
  if (bare !== true) await installReal(cwd);
  writeFiles(cwd, { ".gitignore": "node_modules\n" });
  commitAll(cwd, "Start");
  return cwd;
}

/** The kinds that are served by nothing but their name. */
const OTHERS = ["preset pack", "template", "library"];

// Sites and plans with packages are members, below.
for (const kind of ["bare site", "theme", "plugin"]) {
  Deno.test(`a ${kind} is named, and served by the command of doctor`, async () => {
    const cwd = await projectOf(kind);
    const { command, trustCommand } = await doctorOf(cwd, README);
    assert.match(command, COMMAND);
    const isPlugin = kind === "plugin";
    await served(cwd, isPlugin ? trustCommand! : command, async ({ ok, tools }) => {
      const { kinds, planStep } = await ok("refrakt_detect");
      assert.deepEqual(kinds.map((one: Data) => one.kind), [kind.replace("bare ", "")]);
      const listed = await tools();
      if (kind === "bare site") {
        assert.ok(listed.includes("plan_init"));
        assert.match(planStep!, /plan_init creates one/);
        assert.equal((await ok("refrakt_check")).ok, true);
        // At the default version: the site depends on no plugin for plans.
        assert.ok((await ok("plan_init")).created.includes("plan/INSTRUCTIONS.md"));
        assert.equal((await ok("plan_next")).drafts[0].id, "WORK-001");
      } else if (kind === "theme") {
        assert.ok(listed.includes("refrakt_inspect_audit") && !listed.includes("refrakt_check"));
        assert.equal((await ok("refrakt_inspect_audit", { rune: "hint" })).styledSelectors, 1);
        assert.ok("Hint" in (await ok("refrakt_contracts", { runes: ["hint"] })).runes);
      } else {
        assert.ok(listed.includes("refrakt_package_validate"));
        for (const each of [command, trustCommand!]) {
          assert.doesNotMatch(each, /allow-(?:run|write)/);
        }
        const { valid, pluginName } = await ok("refrakt_package_validate");
        assert.deepEqual([valid, pluginName], [true, "my-runes"]);
      }
    });
  });
}

Deno.test("preset packs, templates and libraries are named, and offered a plan", async () => {
  for (const kind of OTHERS) {
    await inProcess(makeProject(KINDS[kind]!.files), async ({ ok }) => {
      const { kinds, tools } = await ok("refrakt_detect");
      assert.deepEqual(kinds.map((one: Data) => one.kind), [kind]);
      assert.deepEqual(tools.filter((name: string) => name.startsWith("plan")), ["plan_init"]);
    });
  }
});

Deno.test("projects below are named with the command that serves each", async () => {
  const root = makeProject({ "package.json": '{"private":true,"workspaces":["apps/*"]}' });
  for (const [path, kind] of [["apps/docs", "site"], ["tools/roadmap", "plan"]] as const) {
    writeFiles(join(root, path), KINDS[kind]!.files);
  }
  await installReal(root);
  writeFiles(root, { ".gitignore": "node_modules\n" });
  commitAll(root, "Start");
  const { detection: { kinds, below } } = await doctorOf(root, README);
  assert.deepEqual([kinds, below!.map(({ path }: Data) => path)], [[], [
    "apps/docs",
    "tools/roadmap",
  ]]);
  assert.equal(
    below![1]!.command.replace(/&& npx -y \S+/, "&& deno"),
    `cd tools/roadmap && ${README}`,
  );
  const member = join(root, "apps/docs");
  const { command } = await doctorOf(member, README);
  await served(member, command, async ({ ok }) => {
    assert.deepEqual((await ok("refrakt_detect")).warnings, []);
    assert.equal((await ok("refrakt_check")).ok, true);
  });
});

testUnless(
  NOT_PACKED,
  "what upstream scaffolds is served by the commands of doctor",
  async (t) => {
    for (const kind of ["site-sveltekit", "proj-plugin"]) {
      await t.step(kind, async () => {
        const cwd = await scaffold(kind);
        const { command: first, trustCommand } = await doctorOf(cwd, README);
        if (kind === "proj-plugin") {
          const report = await run(cwd, first, "doctor");
          assert.equal(report.code, 0, report.stdout + report.stderr);
          assert.ok(report.stdout.startsWith(`${first}\n`));
          return assert.doesNotMatch(report.stdout, /FAIL/);
        }
        const checked = JSON.parse((await run(cwd, trustCommand!, "call", "refrakt_check")).stdout);
        // The navigation names a page by its last part only.
        assert.match(JSON.stringify(checked.groups), /_layout.*mean \/docs\/getting-started\?"/);
        assert.equal(checked.errors, 1);
      });
    }
  },
);
