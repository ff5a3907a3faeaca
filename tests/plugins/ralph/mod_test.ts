import assert from "node:assert/strict";
import { loadRalphPlugin } from "../../../plugins/ralph/mod.ts";

Deno.test("the plugin is loaded from the module that starts the program, once, and starts nothing", async () => {
  const plugin = await loadRalphPlugin();
  assert.equal(plugin, await loadRalphPlugin());
  const names = plugin.commands.map(({ toolName }) => toolName);
  assert.ok(names.includes("ralph_start"));
  assert.equal(new Set(names).size, names.length);
});
