import assert from "node:assert/strict";
import { createServer } from "../../../mod.ts";
import { makeProject, SMALL_PLAN } from "../../support/project.ts";

Deno.test("what the plugin refuses to create has a code, and its own sentence", async () => {
  const server = await createServer({ cwd: makeProject(SMALL_PLAN) });
  for (
    const [input, message] of [
      [{ attrs: { status: "nope" } }, /Valid: draft, ready/],
      [{ id: "WORK-001" }, /already exists/],
    ] as const
  ) {
    await assert.rejects(
      server.callTool("plan.create", { type: "work", title: "x", ...input }),
      { code: "VALIDATION_ERROR", message, hint: /nothing was written/ },
    );
  }
});
