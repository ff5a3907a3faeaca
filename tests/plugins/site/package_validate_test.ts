/** Compares the lint of rune packages with the CLI's. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { assertCodes, callTool } from "../../support/calls.ts";
import { askOracle, installFromLab, LAB, runCli } from "../../support/lab.ts";
import { makeProject } from "../../support/project.ts";
import { coreSite, MARKETING, PLAN, singleSite } from "./projects.ts";
import { packageValidateTool } from "./tools.ts";

const validate = (dir: string, input: Record<string, unknown>) =>
  callTool(dir, packageValidateTool, input);
const paths = (findings: { path: string }[]) => findings.map(({ path }) => path).sort();

function packageProject(plugin: string, commands?: string, fixtures: Record<string, string> = {}) {
  const manifest = {
    name: "my-runes",
    version: "1.0.0",
    type: "module",
    exports: { ".": "./index.js", ...(commands ? { "./cli-plugin": "./cli-plugin.js" } : {}) },
  };
  return coreSite({}, {
    "pkg/package.json": JSON.stringify(manifest),
    "pkg/index.js": plugin,
    ...(commands === undefined ? {} : { "pkg/cli-plugin.js": commands }),
    ...Object.fromEntries(
      Object.entries(fixtures).map(([name, text]) => [`pkg/fixtures/${name}`, text]),
    ),
  });
}

const GOOD_PLUGIN = `export const plugin = { name: "mine", version: "1.0.0", runes: {
  mood: { transform: { attributes: {} }, description: "A mood", fixture: "{% mood %}x{% /mood %}" } } };`;

Deno.test("first-party packages validate as in the CLI, by name and by folder", async () => {
  const dir = singleSite();
  await installFromLab(dir, PLAN, MARKETING);
  const names = [PLAN, MARKETING];
  const answers = await askOracle(
    LAB,
    names.map((name) => ["plugins", "validate", join(LAB, "node_modules", name), "--json"]),
  );
  for (const [at, name] of names.entries()) {
    const cli = JSON.parse(answers[at]!.stdout);
    const byName = await validate(dir, { package: name });
    const judged = [byName];
    // The other one imports third-party packages that are not installed here.
    if (name === MARKETING) judged.push(await validate(dir, { dir: `node_modules/${name}` }));
    for (const ours of judged) {
      assert.equal(ours.valid, cli.valid, name);
      assert.equal(ours.pluginName, cli.pluginName);
      assert.deepEqual(paths(ours.errors), paths(cli.errors));
      assert.deepEqual(paths(ours.warnings), paths(cli.warnings));
    }
  }
});

Deno.test("mistakes in runes are reported at the CLI's paths", async () => {
  const plugin = `export const plugin = { name: "", version: "1", runes: {
    a: { transform: null, fixture: "", aliases: [1], authoringHints: " " },
    b: { transform: {}, fixture: "{% other %}", schema: { x: { type: "date", matches: 1 }, y: 2 } },
    c: { transform: {}, description: "No example" },
    d: { transform: { selfClosing: true } },
  }, theme: { runes: { A: {}, B: 1 }, icons: { g: { x: 1 }, h: 2 } },
     extends: { hint: { schema: { z: { type: "color" } } } } };`;
  const dir = packageProject(plugin, undefined, {
    "c.scene.md": "---\nrole: nonsense\n---\n{% c /%}",
  });
  const ours = await validate(dir, { dir: "pkg" });
  const cli = await runCli(dir, "plugins", "validate", "pkg", "--json");
  const theirs = JSON.parse(cli.stdout);
  assert.equal(ours.valid, false);
  assert.deepEqual(paths(ours.errors), paths(theirs.errors));
  assert.deepEqual(paths(ours.warnings), paths(theirs.warnings));
});

Deno.test("mistakes in the CLI plugin are reported: namespace clash, descriptions, schemas", async () => {
  const commands = `export default { namespace: "plan", commands: [
    { name: "a", handler() {} },
    { name: "b", description: "", handler: 1, inputSchema: [] },
    { name: "c", description: "C", handler() {}, mcpHandler: 1, inputSchema: { type: "array" } },
    { name: "d", description: "D", handler() {}, inputSchema: { type: "object", required: "x", properties: 1 } },
    { name: "a", description: "Again", handler() {}, inputSchema: { anyOf: [] }, outputSchema: 5 },
    { name: "has space", description: "E", handler() {}, inputSchema: { type: "object", required: ["q"] } },
    null,
  ] };`;
  const files = packageProject(GOOD_PLUGIN, commands);
  const site = { contentDir: ".", plugins: [PLAN] };
  Deno.writeTextFileSync(join(files, "refrakt.config.json"), JSON.stringify({ site }));
  const { valid, errors, warnings } = await validate(files, { dir: "pkg" });
  assert.equal(valid, false);
  const at = (...places: string[]) => places.map((place) => `cli-plugin.commands[${place}`);
  assert.deepEqual(
    paths(errors),
    at(
      ...["1].handler", "1].inputSchema", "2].inputSchema", "2].mcpHandler", "3].inputSchema"],
      ...["4].name", "4].outputSchema", "5].name", "6].name"],
    ),
  );
  const warned = paths(warnings);
  const wanted = at("0]", "0].description", "1].description", "3]", "4].inputSchema", "5]");
  for (const path of [...wanted, "cli-plugin.namespace"]) {
    assert.ok(warned.includes(path), path);
  }
  assert.ok(JSON.stringify(warnings).includes(PLAN));
});

Deno.test("a path that is not a package or is outside the project is an error with a code", async () => {
  const dir = coreSite({}, { "file.txt": "" });
  const outside = makeProject({ "package.json": "{}" });
  await Deno.symlink(outside, join(dir, "link"));
  await assertCodes((input: Record<string, unknown>) => validate(dir, input), [
    [{}, "INVALID_ARGS"],
    [{ package: PLAN, dir: "." }, "INVALID_ARGS"],
    [{ dir: "file.txt" }, "INVALID_ARGS"],
    [{ dir: "../" }, "PERMISSION_DENIED"],
    [{ dir: outside }, "PERMISSION_DENIED"],
    [{ dir: "link" }, "PERMISSION_DENIED"],
    [{ package: "../evil" }, "PLUGIN_LOAD_FAILED"],
    [{ package: "not-in-this-project" }, "PLUGIN_LOAD_FAILED"],
  ]);
});
