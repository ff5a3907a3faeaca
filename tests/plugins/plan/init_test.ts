import assert from "node:assert/strict";
import { join } from "node:path";
import { makeProject, readTree, SMALL_PLAN } from "../../support/project.ts";
import { inProcess } from "../../support/in_process.ts";
import { childEnvironment, README_PERMISSIONS, withServer } from "../../support/server.ts";

Deno.test("plan_init describes this server and the plan's own statuses, and points to setup", async () => {
  const cwd = makeProject();
  await inProcess(cwd, async ({ ok, call }) => {
    assert.equal((await call("plan_init", { agents: "none" })).errorCode, "INVALID_ARGS");
    assert.deepEqual(readTree(cwd), {});
    const { hint, created, alreadyEstablished } = await ok("plan_init");
    assert.equal(alreadyEstablished, false);
    assert.match(hint, /jsr:@refrakt\/mcp setup/);
    const files = Object.keys(readTree(cwd));
    assert.ok(files.every((path) => path.startsWith("plan/")), files.join());
    assert.deepEqual(created.filter((path: string) => path.endsWith(".md")).sort(), files.sort());
    const { items, drafts, note } = await ok("plan_next");
    assert.deepEqual([items, drafts.map(({ id }: { id: string }) => id)], [[], ["WORK-001"]]);
    const [, args] = /plan_update (\{[^}]*\}) offers it/.exec(note)!;
    await ok("plan_update", JSON.parse(args!.replace(/(\w+):/g, '"$1":')));
    const next = await ok("plan_next");
    assert.deepEqual(
      [next.items[0].id, next.drafts, next.note],
      ["WORK-001", undefined, undefined],
    );
    const text = Deno.readTextFileSync(join(cwd, "plan/INSTRUCTIONS.md"));
    assert.ok(!/@refrakt-md\/mcp|mcp\.json|npx/.test(text), text);
    assert.match(text, /- work: draft, ready, in-progress, review, done, blocked, pending\n/);
    Deno.writeTextFileSync(join(cwd, "plan/INSTRUCTIONS.md"), "Mine.\n");
    const again = await ok("plan_init");
    assert.deepEqual([again.created, again.alreadyEstablished], [[], true]);
    assert.equal(Deno.readTextFileSync(join(cwd, "plan/INSTRUCTIONS.md")), "Mine.\n");
  });
});

Deno.test("plan_init rejects a plan inside another plan, and names that plan", async () => {
  const cwd = makeProject(SMALL_PLAN);
  const before = readTree(cwd);
  await inProcess(join(cwd, "plan/work"), async ({ call }) => {
    const refused = await call("plan_init");
    assert.equal(refused.errorCode, "VALIDATION_ERROR", JSON.stringify(refused));
    assert.match(refused.content[0].text, /lies inside the plan ".*\/plan"$/m);
    assert.match(refused.hint!, /--cwd/);
  });
  assert.deepEqual(readTree(cwd), before);
});

Deno.test("plan_init refuses where a plan was renamed, and names the folder", async () => {
  const files = Object.entries(SMALL_PLAN)
    .map(([path, text]) => [path.replace("plan/", "roadmap/"), text]);
  const cwd = makeProject(Object.fromEntries(files));
  await inProcess(cwd, async ({ call, ok, tools }) => {
    assert.ok(!(await tools()).includes("plan_init"));
    const refused = await call("plan_init");
    assert.equal(refused.errorCode, "VALIDATION_ERROR");
    assert.match(refused.content[0].text, /"roadmap" already holds a plan[^]*rename it to "plan"/);
    assert.match((await call("plan_next")).hint!, /The folder "roadmap" holds one/);
    assert.equal((await ok("plan_init", { dir: "plan/second" })).dir, "plan/second");
  });
});

Deno.test("REFRAKT_PLAN_DIR selects the plan only if the environment may be read", async () => {
  const cwd = makeProject({
    ...Object.fromEntries(
      Object.entries(SMALL_PLAN).map(([path, text]) => [path.replace("plan/", "planning/"), text]),
    ),
    "refrakt.config.json": '{ "plan": { "dir": "other" } }',
  });
  const env = { ...childEnvironment(), REFRAKT_PLAN_DIR: "planning" };
  await withServer(cwd, async ({ ok }) => {
    assert.equal((await ok("refrakt_detect")).plan.dir, "planning");
    const { lines } = await ok("plan_update", { id: "WORK-001", status: "done" });
    assert.match(lines.join(), /^WORK-001: \w+ → done/);
  }, {
    env,
    grants: [...README_PERMISSIONS, "--allow-write=planning", "--allow-env=REFRAKT_PLAN_DIR"],
  });
  await withServer(cwd, async ({ ok }) => {
    assert.equal((await ok("refrakt_detect")).plan, null);
  }, { env });
});
