import assert from "node:assert/strict";
import { planTools } from "../../../plugins/plan/tools/mod.ts";
import { openProject } from "../../../src/project/project.ts";
import { runAsCall } from "../../../src/stand_ins/call.ts";
import { callContext, errorOf } from "../../support/calls.ts";
import { makeProject, readTree, SMALL_PLAN } from "../../support/project.ts";
import { planPlugin } from "../../support/plan.ts";

const tools = planTools(await planPlugin());

const run = async (cwd: string, name: string, input: Record<string, unknown>) => {
  const tool = tools.find((one) => one.name === `plan.${name}`)!;
  return (await runAsCall(cwd, () => tool.run(input, callContext(openProject(cwd)))))
    .value as Record<string, unknown>;
};

const { "plan/bugs/BUG-001-crash.md": bug, ...rest } = SMALL_PLAN;
const MISNAMED = { ...rest, "plan/bugs/crash.md": bug! };

Deno.test("migrate only plans without apply, moves files with it, and leaves no lock file", async () => {
  const cwd = makeProject(MISNAMED);
  const before = readTree(cwd);
  const planned = await run(cwd, "migrate", { subcommand: "filenames" });
  assert.deepEqual([planned["mode"], readTree(cwd)], ["dry-run", before]);
  await run(cwd, "migrate", { subcommand: "filenames", apply: true });
  const after = readTree(cwd);
  assert.ok(!("plan/bugs/crash.md" in after));
  const [moved] = Object.keys(after).filter((path) => /^plan\/bugs\/BUG-001.*\.md$/.test(path));
  assert.equal(after[moved!], bug);
  assert.deepEqual(Object.keys(after).length, Object.keys(before).length);
});

Deno.test("the plugin's errors get our codes", async () => {
  const cwd = makeProject(SMALL_PLAN);
  assert.equal((await run(cwd, "next-id", { type: "work" }))["nextId"], "WORK-003");
  const unknown = await errorOf(run(cwd, "next-id", { type: "work", dir: "nowhere" }));
  assert.equal(unknown.code, "PLAN_DIR_MISSING");
  // Without a rule of ours, the plugin's own message is kept.
  await assert.rejects(
    run(cwd, "migrate", { subcommand: "nothing" }),
    /Unknown migrate subcommand "nothing"/,
  );
});
