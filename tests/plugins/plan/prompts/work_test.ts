import assert from "node:assert/strict";
import { errorOf } from "../../../support/calls.ts";
import { adaptedPlan, renderPrompt } from "../../../support/plan.ts";
import { commitAll, makeProject } from "../../../support/project.ts";
import { WIDE_PLAN } from "../tools/plan.ts";

const cwd = makeProject(WIDE_PLAN);
commitAll(cwd, "Begin");
const work = (args: Record<string, string>) => renderPrompt(cwd, "plan_work", args);

Deno.test("an item comes with what it builds on, what it waits for and its last changes", async () => {
  const { texts, embedded } = await work({ id: "WORK-002" });
  assert.deepEqual(embedded.map(({ uri }) => uri), [
    "refrakt://plan/work/WORK-002",
    "refrakt://plan/spec/SPEC-001",
    "refrakt://plan/work/WORK-001",
  ]);
  assert.equal(embedded[0]!.text, WIDE_PLAN["plan/work/WORK-002-render.md"]);
  assert.match(texts, /waits for what is not done \(1\):\n- WORK-001 \(ready\)/);
  assert.match(texts, /last changes:\n- \d{4}-\d\d-\d\d Ada: created \(ready\) \(Begin\)/);
});

Deno.test("without an id it is the next item, also of a milestone", async () => {
  for (const args of [{}, { milestone: "v1.0.0" }, { id: "v1.0.0" }]) {
    const { embedded } = await work(args as Record<string, string>);
    assert.equal(embedded[0]!.uri, "refrakt://plan/work/WORK-001", JSON.stringify(args));
  }
});

Deno.test("what is not there, or not ready, is an error that leads on", async () => {
  assert.equal((await errorOf(work({ id: "WORK-0002" }))).code, "NOT_FOUND");
  assert.equal((await errorOf(work({ milestone: "v1" }))).code, "NOT_FOUND");
  const done = await errorOf(work({ milestone: "v0.9.0" }));
  assert.deepEqual([done.code, done.message], ["NOT_FOUND", "Nothing is ready in v0.9.0"]);
  assert.match(done.hint!, /plan\.next with explain/);
});

Deno.test("without a repository there is no history, and everything else", async () => {
  const { texts, embedded } = await renderPrompt(makeProject(WIDE_PLAN), "plan_work", {
    id: "WORK-005",
  });
  assert.equal(embedded[0]!.uri, "refrakt://plan/work/WORK-005");
  assert.ok(!texts.includes("last changes"));
});

Deno.test("ids and milestones are completed", async () => {
  const { adapted, context } = await adaptedPlan(cwd);
  const prompt = adapted.plugin.prompts!.find(({ name }) => name === "plan_work")!;
  const complete = (argument: string, value: string) =>
    prompt.complete!(argument, value, context, {});
  assert.deepEqual(await complete("id", "bug"), ["BUG-001", "BUG-002"]);
  assert.deepEqual(await complete("milestone", "v"), ["v1.0.0", "v0.9.0"]);
});
