import assert from "node:assert/strict";
import { createServer } from "../../../mod.ts";
import { makeProject, SMALL_PLAN } from "../../support/project.ts";

Deno.test("errors of the plugin's create get a code and a matching hint", async () => {
  const server = await createServer({ cwd: makeProject(SMALL_PLAN) });
  const cases = [
    [{ attrs: { status: "nope" } }, /^Use one of: draft, ready/],
    [{ attrs: { id: "WORK-100" } }, /^Pass "id"/],
    [{ id: "WORK-001" }, /^Omit id/],
  ] as const;
  for (const [input, hint] of cases) {
    await assert.rejects(
      server.callTool("plan.create", { type: "work", title: "x", ...input }),
      (error: Error & { code: string; hint: string }) => {
        assert.equal(error.code, "VALIDATION_ERROR");
        assert.match(error.hint, hint);
        return true;
      },
    );
  }
});
