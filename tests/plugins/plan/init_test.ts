import assert from "node:assert/strict";
import { join } from "node:path";
import { LAB_VERSION } from "../../support/lab.ts";
import { exists, makeProject, readTree, SMALL_PLAN } from "../../support/project.ts";
import { inProcess } from "../../support/in_process.ts";
import { childEnvironment, README_PERMISSIONS, withServer } from "../../support/server.ts";

const EVERYTHING = ["--no-prompt", "--allow-read=.", "--allow-write=.", "--allow-run=git"];

Deno.test("plan.init asks for the dependencies as the CLI does, at the version that is loaded", async () => {
  const cwd = makeProject({ "package.json": '{ "name": "x", "devDependencies": {} }\n' });
  await withServer(cwd, async ({ ok }) => {
    assert.equal((await ok("plan.init", { noPackageJson: false })).packageJsonUpdated, true);
  }, { grants: EVERYTHING });
  const { devDependencies } = JSON.parse(Deno.readTextFileSync(join(cwd, "package.json")));
  assert.deepEqual(devDependencies, {
    "@refrakt-md/cli": `^${LAB_VERSION}`,
    "@refrakt-md/plan": `^${LAB_VERSION}`,
  });
});

Deno.test("plan.init writes the wrapper and the hook where just these are asked for", async () => {
  const cwd = makeProject({ "CLAUDE.md": "# Rules\n" });
  await withServer(cwd, async ({ ok, call }) => {
    const made = await ok("plan.init", { noWrapper: false, noHooks: false });
    assert.deepEqual([made.wrapperWritten, made.hookWritten, made.agentFilesUpdated], [
      true,
      true,
      [],
    ]);
    const outside = Object.keys(readTree(cwd)).filter((path) => !path.startsWith("plan/")).sort();
    assert.deepEqual(outside, [".claude/settings.json", "CLAUDE.md", "plan.sh"]);
    assert.equal(Deno.readTextFileSync(join(cwd, "CLAUDE.md")), "# Rules\n");
    assert.equal((await call("plan.init", { agent: "none" })).isError, undefined);
  }, { grants: EVERYTHING });
  const alone = makeProject();
  await withServer(alone, async ({ ok, call }) => {
    const refused = await call("plan.init", { noWrapper: false });
    assert.equal(refused.errorCode, "PERMISSION_DENIED");
    assert.match(refused.hint!, /--allow-write=plan\.sh/);
    assert.ok(!exists(join(alone, "plan")));
    assert.equal((await ok("plan.init")).wrapperWritten, false);
  });
});

Deno.test("plan.init makes no plan inside a plan, and says which one is there", async () => {
  const cwd = makeProject(SMALL_PLAN);
  for (
    const [place, input, shown] of [
      ["", { dir: "plan/inner" }, /lies inside the plan .*\/plan$/m],
      ["", { dir: "plan/work/deeper/still" }, /lies inside the plan .*\/plan$/m],
      ["plan", {}, /lies inside the plan .*\/plan$/m],
      ["plan/work", {}, /lies inside the plan .*\/plan$/m],
    ] as const
  ) {
    const before = readTree(cwd);
    await inProcess(join(cwd, place), async ({ call }) => {
      const refused = await call("plan.init", input);
      assert.equal(refused.errorCode, "VALIDATION_ERROR", `${place} ${JSON.stringify(refused)}`);
      assert.match(refused.content[0].text, shown);
      assert.match(refused.hint!, /--cwd/);
    });
    assert.deepEqual(readTree(cwd), before);
  }
});

Deno.test("REFRAKT_PLAN_DIR names the plan where the environment may be read, and nowhere else", async () => {
  const cwd = makeProject({
    ...Object.fromEntries(
      Object.entries(SMALL_PLAN).map(([path, text]) => [path.replace("plan/", "planning/"), text]),
    ),
    "refrakt.config.json": '{ "plan": { "dir": "other" } }',
  });
  const env = { ...childEnvironment(), REFRAKT_PLAN_DIR: "planning" };
  await withServer(cwd, async ({ ok }) => {
    assert.equal((await ok("refrakt.detect")).plan.dir, "planning");
    assert.equal((await ok("plan.update", { id: "WORK-001", status: "done" })).type, "work");
  }, {
    env,
    grants: [...README_PERMISSIONS, "--allow-write=planning", "--allow-env=REFRAKT_PLAN_DIR"],
  });
  await withServer(cwd, async ({ ok }) => {
    assert.equal((await ok("refrakt.detect")).plan, null);
  }, { env });
  await withServer(cwd, async ({ ok }) => {
    const { plan, warnings } = await ok("refrakt.detect");
    assert.equal(plan, null);
    assert.match(JSON.stringify(warnings), /REFRAKT_PLAN_DIR/);
  }, {
    env: { ...env, REFRAKT_PLAN_DIR: "../elsewhere" },
    grants: [...README_PERMISSIONS, "--allow-env=REFRAKT_PLAN_DIR"],
  });
});
