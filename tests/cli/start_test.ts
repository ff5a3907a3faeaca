import assert from "node:assert/strict";
import { errorText } from "../../src/cli/start.ts";
import { runProcess } from "../support/process.ts";
import { makeProject } from "../support/project.ts";
import { README_PERMISSIONS, ROOT } from "../support/server.ts";

Deno.test("the published package suggests --no-config in an npm project", () => {
  const published = errorText(new Error("Failed reading /x/package.json"), false);
  assert.match(published, /^Error: Failed reading .*\nAdd --no-config .* ignores .*\.$/);
});

Deno.test("a checkout started with the flags of the published package fails with a hint", async () => {
  const cwd = makeProject({ "package.json": '{ "name": "project" }' });
  const args = ["--no-config", ...README_PERMISSIONS, `${ROOT}mod.ts`, "call", "refrakt_version"];
  const { code, stderr } = await runProcess(Deno.execPath(), ["run", ...args], cwd);
  assert.equal(code, 1);
  assert.match(stderr, /--config=<checkout>\/deno\.json in place of --no-config and/);
});
