import assert from "node:assert/strict";
import { makeProject } from "../../../support/project.ts";
import { inProcess } from "../../../support/in_process.ts";
import { WIDE_PLAN } from "../tools/plan.ts";

Deno.test("invalid arguments of a prompt are protocol errors, which name the valid ones", () =>
  inProcess(makeProject(WIDE_PLAN), async ({ client }) => {
    await assert.rejects(
      client.getPrompt({ name: "plan_review", arguments: { milestone: "v3" } }),
      (error: { code: number; data: { hint: string } }) =>
        error.code === -32602 && /"v0\.9\.0", "v1\.0\.0"/.test(error.data.hint),
    );
  }));
