import assert from "node:assert/strict";
import { RefraktError } from "../../src/errors.ts";
import { loadBundled, loadNpmPlugin } from "../../src/plugin_host/plugin_loading.ts";
import { openProject } from "../../src/project/project.ts";
import { makeProject } from "../support/project.ts";

Deno.test("a bundled plugin that fails is a warning with its reason and hint", async () => {
  const bundled = { name: "own", version: "1.0.0", applies: () => true };
  const plugin = { namespace: "own", commands: [] };
  const loaded = await loadBundled({ ...bundled, load: () => Promise.resolve(plugin) });
  assert.equal(loaded.plugin?.plugin, plugin);
  assert.deepEqual(loaded.warnings, []);
  const error = new RefraktError("TOOL_FAILED", "It is broken", { hint: "Mend it." });
  assert.deepEqual(await loadBundled({ ...bundled, load: () => Promise.reject(error) }), {
    warnings: [{
      code: "PLUGIN_LOAD_FAILED",
      message: "Plugin own is not available: It is broken",
      package: "own",
      hint: "Mend it.",
    }],
  });
});

Deno.test("a package without commands is no plugin and no warning, one that is not there a warning", async () => {
  const project = openProject(makeProject({}));
  assert.deepEqual(await loadNpmPlugin(project, "@refrakt-md/transform", "config", {}), {
    warnings: [],
  });
  const { plugin, warnings } = await loadNpmPlugin(project, "@refrakt-md/no name", "config", {});
  assert.equal(plugin, undefined);
  assert.match(
    warnings[0]!.message,
    /^Plugin @refrakt-md\/no name is not available: Not the name of/,
  );
});
