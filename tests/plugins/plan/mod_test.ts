import assert from "node:assert/strict";
import { join } from "node:path";
import { runAsCall } from "../../../src/packages/stand_in_call.ts";
import { makeProject, SMALL_PLAN } from "../../support/project.ts";
import { adaptedPlan } from "../../support/plan.ts";

const cwd = makeProject(SMALL_PLAN);
const { adapted, declared, context } = await adaptedPlan(cwd);
const { plugin, contribution } = adapted;
const tools = contribution.tools!;
const names = (commands: readonly { name: string }[]) => commands.map(({ name }) => name).sort();

Deno.test("our tools replace the package's commands, and its others run in a shell", () => {
  assert.deepEqual(adapted.warnings, []);
  const ours = ["board", "claim", "get", "list", "merge", "renumber", "review", "undo"];
  const all = [
    ...tools.map(({ name }) => name.replace(/^plan_/, "").replace("_", "-")),
    ...names(plugin.commands),
  ];
  assert.deepEqual(all.sort(), [...names(declared.commands), ...ours].sort());
  const [inShell, served] = [true, undefined].map((each) =>
    names(plugin.commands.filter(({ longRunning }) => longRunning === each))
  );
  assert.deepEqual([inShell, served], [["build", "serve"], []]);
});

Deno.test("a command of the package uses the store's entities and leaves no cache file", async () => {
  const next = tools.find(({ name }) => name === "plan_next_id")!;
  const { value } = await runAsCall(cwd, () => next.run({ type: "work" }, context));
  assert.deepEqual((value as { nextId: string }).nextId, "WORK-003");
  assert.deepEqual(
    [...Deno.readDirSync(join(cwd, "plan"))].map(({ name }) => name).sort(),
    ["bugs", "decisions", "milestones", "specs", "work"],
  );
});
