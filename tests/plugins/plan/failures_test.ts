import assert from "node:assert/strict";
import { createServer } from "../../../mod.ts";
import { FAILURE_PATTERNS, failurePattern } from "../../../plugins/plan/failures.ts";
import { makeProject, SMALL_PLAN } from "../../support/project.ts";

Deno.test("each sentence in the table is one that the installed plugin says", async () => {
  const server = await createServer({ cwd: makeProject(SMALL_PLAN) });
  const seen = new Set<unknown>();
  for (
    const [command, input, code] of [
      ["update", { id: "WORK-001", attrs: { status: "nope" } }, "VALIDATION_ERROR"],
      ["create", { type: "work", title: "x", attrs: { status: "nope" } }, "VALIDATION_ERROR"],
      ["create", { type: "work", title: "x", attrs: { id: "WORK-100" } }, "VALIDATION_ERROR"],
      ["create", { type: "work", title: "x", id: "WORK-001" }, "VALIDATION_ERROR"],
    ] as const
  ) {
    await assert.rejects(
      server.callTool(`plan.${command}`, input),
      (error: Error & { code: string; hint: string }) => {
        const known = failurePattern(command, error.message);
        assert.ok(known !== undefined, error.message);
        seen.add(known.found);
        assert.equal(error.code, code);
        assert.equal(error.hint, known.found.hint(known.match));
        return true;
      },
    );
  }
  assert.equal(seen.size, FAILURE_PATTERNS.length);
});
