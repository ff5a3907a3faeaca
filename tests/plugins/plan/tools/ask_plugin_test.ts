import assert from "node:assert/strict";
import { askPlugin } from "../../../../plugins/plan/tools/ask_plugin.ts";
import { openPlan } from "../../../../plugins/plan/queries/access.ts";
import { runAsCall } from "../../../../src/sandbox/call.ts";
import { errorOf } from "../../../support/calls.ts";
import { makeProject, readTree, SMALL_PLAN } from "../../../support/project.ts";
import { handlerContext, planPlugin } from "../../../support/plan.ts";

const plugin = await planPlugin();
const cwd = makeProject(SMALL_PLAN);
const context = handlerContext(cwd);

const ask = async (command: string, input: Record<string, unknown>, of = plugin) =>
  (await runAsCall(cwd, async () => {
    const view = await openPlan(context, undefined, of);
    return { answer: await askPlugin<Record<string, unknown>>(of, command, input, view, context) };
  })).value!.answer;

Deno.test("the plugin answers of the store's entities, and scans nothing itself", async () => {
  const before = readTree(cwd);
  const scans = plugin.scans.count;
  const { items } = await ask("next", { count: 5 }) as { items: { id: string }[] };
  assert.deepEqual(items.map(({ id }) => id), ["WORK-001"]);
  assert.ok(plugin.scans.count > scans, "its scan was answered");
  assert.deepEqual(readTree(cwd), before);
});

Deno.test("what the plugin refuses has a code of ours and the way on", async () => {
  const original = plugin.original;
  const error = await errorOf(ask("create", { type: "work", title: "A", attrs: { status: "no" } }));
  assert.equal(error.code, "VALIDATION_ERROR");
  assert.ok(error.hint);
  // What it has no sentence for keeps the plugin's own.
  const odd: typeof plugin.original = (command) =>
    command === "next"
      ? () => {
        throw new Error("Something of its own");
      }
      : original(command);
  await assert.rejects(ask("next", {}, { ...plugin, original: odd }), /Something of its own/);
});
