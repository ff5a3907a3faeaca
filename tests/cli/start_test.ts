import assert from "node:assert/strict";
import { startupSentence } from "../../src/cli/start.ts";
import { makeProject } from "../support/project.ts";
import { README_PERMISSIONS, ROOT } from "../support/server.ts";

Deno.test("a checkout needs its own deno.json, and the published package not the project's", () => {
  for (
    const message of [
      'Could not find a matching package for "npm:zod" in the node_modules directory',
      'Import "zod" not a dependency',
    ]
  ) {
    assert.match(
      startupSentence(new TypeError(message), true),
      /--config=<checkout>\/deno\.json in place of --no-config /,
    );
  }
  const published = startupSentence(new Error("Failed reading /x/package.json"), false);
  assert.match(published, /^Error: Failed reading .*\nWith --no-config .* leaves .* alone\.$/);
});

Deno.test("a checkout that is started with the flags of the published package says so", async () => {
  for (const flags of [["--no-config"], ["--node-modules-dir=manual"]]) {
    const cwd = makeProject({ "package.json": '{ "name": "project" }' });
    const { success, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", ...flags, ...README_PERMISSIONS, `${ROOT}mod.ts`, "call", "refrakt.version"],
      cwd,
      env: { NO_COLOR: "1" },
    }).output();
    assert.equal(success, false);
    assert.match(
      new TextDecoder().decode(stderr),
      /--config=<checkout>\/deno\.json in place of --no-config and/,
    );
  }
});
