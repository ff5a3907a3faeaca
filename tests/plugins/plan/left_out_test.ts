import assert from "node:assert/strict";
import { createServer } from "../../../mod.ts";
import { loadedPackage } from "../../../src/sandbox/modules.ts";
import { makeProject, SMALL_PLAN } from "../../support/project.ts";

Deno.test("what only plan.serve and plan.build need is not loaded, and both are for a shell", async () => {
  const server = await createServer({ cwd: makeProject(SMALL_PLAN) });
  await server.callTool("plan.next");
  assert.ok(loadedPackage("@refrakt-md/plan"));
  assert.equal(loadedPackage("@refrakt-md/highlight"), undefined);
  const { availableViaShell } = await server.callTool("refrakt.detect") as {
    availableViaShell: string[];
  };
  assert.deepEqual(availableViaShell, ["plan.build", "plan.serve"]);
  await assert.rejects(server.callTool("plan.serve"), { code: "NOT_FOUND" });
});
