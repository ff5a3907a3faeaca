import assert from "node:assert/strict";
import { createServer } from "../../../mod.ts";
import { makeProject, planFile } from "../../support/project.ts";
import { itemsOf } from "../../support/rows.ts";

Deno.test("titles are limited in length, and shown with escapes to programs too", async () => {
  const cwd = makeProject({
    ...planFile("WORK-001", {}, "", `Pay\u202egnp.\u200bexe ${"x".repeat(5000)}`),
  });
  const server = await createServer({ cwd });
  const [one] = itemsOf(await server.callTool("plan_list", { fields: ["title"] }));
  assert.match(one.title, /^Pay\\u202egnp\.\\u200bexe x{900,}…$/);
  assert.ok(one.title.length < 1020);
});
