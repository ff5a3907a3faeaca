import assert from "node:assert/strict";
import { makeProject } from "../../../support/project.ts";
import { inProcess } from "../../../support/in_process.ts";
import { WIDE_PLAN } from "../tools/plan.ts";

Deno.test("a prompt's arguments have completions from the plan, and invalid ones are protocol errors", () =>
  inProcess(makeProject(WIDE_PLAN), async ({ client }) => {
    const complete = async (name: string, argument: string, value: string) =>
      (await client.complete({
        ref: { type: "ref/prompt", name },
        argument: { name: argument, value },
      })).completion.values;
    assert.deepEqual(
      await complete("plan_work", "id", "work-00"),
      "WORK-001 WORK-002 WORK-004 WORK-005 WORK-003".split(" "),
    );
    assert.deepEqual(await complete("plan_review", "milestone", "v"), ["v1.0.0", "v0.9.0"]);
    assert.deepEqual(await complete("plan_standup", "since", "1"), ["1d", "14d"]);
    await assert.rejects(
      client.getPrompt({ name: "plan_review", arguments: { milestone: "v3" } }),
      (error: { code: number; data: { hint: string } }) =>
        error.code === -32602 && /v0\.9\.0, v1\.0\.0/.test(error.data.hint),
    );
  }));
