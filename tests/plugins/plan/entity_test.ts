import assert from "node:assert/strict";
import { createServer } from "../../../mod.ts";
import { makeProject, planFile } from "../../support/project.ts";

Deno.test("titles are stripped of hidden characters and limited in length", async () => {
  const cwd = makeProject({
    ...planFile("WORK-001", {}, "", `Pay\u202egnp.\u200bexe ${"x".repeat(5000)}`),
  });
  const server = await createServer({ cwd });
  const { items: [one] } = await server.callTool("plan.list") as { items: { title: string }[] };
  assert.match(one!.title, /^Paygnp\.exe x{900,}…$/);
  assert.equal(one!.title.length, 1000);
});
