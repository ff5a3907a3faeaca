/** Compares the lint of rune packages with the CLI's. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { callTool, errorOf } from "../support/calls.ts";
import { installFromLab, LAB, runCli } from "../support/lab.ts";
import { makeProject } from "../support/project.ts";
import { coreSite, MARKETING, PLAN, project, singleSite } from "./projects.ts";
import { packageValidateTool } from "./tools.ts";

interface Finding {
  path: string;
  message: string;
}
interface Result {
  valid: boolean;
  pluginName: string;
  errors: Finding[];
  warnings: Finding[];
}

const validate = async (dir: string, input: Record<string, unknown>) =>
  await callTool(dir, packageValidateTool, input) as unknown as Result;
const paths = (findings: Finding[]) => findings.map(({ path }) => path).sort();

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
  for (const name of [PLAN, MARKETING]) {
    const folder = join(LAB, "node_modules", name);
    const cli = JSON.parse((await runCli(LAB, "plugins", "validate", folder, "--json")).stdout);
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
  const theirs = JSON.parse(cli.stdout) as Result;
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
  await Deno.writeTextFile(
    join(files, "refrakt.config.json"),
    JSON.stringify({ site: { contentDir: ".", plugins: [PLAN] } }),
  );
  const { valid, errors, warnings } = await validate(files, { dir: "pkg" });
  assert.equal(valid, false);
  const at = (index: number, rest = "") => `cli-plugin.commands[${index}]${rest}`;
  assert.deepEqual(paths(errors), [
    at(1, ".handler"),
    at(1, ".inputSchema"),
    at(2, ".inputSchema"),
    at(2, ".mcpHandler"),
    at(3, ".inputSchema"),
    at(4, ".name"),
    at(4, ".outputSchema"),
    at(5, ".name"),
    at(6, ".name"),
  ]);
  const warned = paths(warnings);
  assert.ok(warned.includes("cli-plugin.namespace"));
  assert.ok(warnings.some(({ message }) => message.includes(PLAN)));
  assert.ok(warnings.some(({ message }) => message.startsWith('Command "a" has no description')));
  for (
    const path of [
      at(0),
      at(0, ".description"),
      at(1, ".description"),
      at(3),
      at(4, ".inputSchema"),
      at(5),
    ]
  ) {
    assert.ok(warned.includes(path), path);
  }
});

Deno.test("an invalid CLI plugin is an error of the package", async () => {
  const cases = ["throw new Error('boo');", "export const nothing = 1;", "syntax error ("];
  for (const commands of cases) {
    const { errors } = await validate(packageProject(GOOD_PLUGIN, commands), { dir: "pkg" });
    assert.deepEqual(paths(errors), ["cli-plugin"]);
  }
});

Deno.test("an unfinished package gets findings about its missing parts", async () => {
  const dir = project({ site: { contentDir: "." } }, {
    "empty/x.txt": "",
    "broken/package.json": "{",
    "unbuilt/package.json": '{ "name": "unbuilt", "version": "1.0.0" }',
    "failing/package.json": '{ "name": "failing", "version": "1.0.0", "main": "index.js" }',
    "failing/index.js": "import 'no-such-module';",
  });
  assert.deepEqual(paths((await validate(dir, { dir: "empty" })).errors), ["package.json"]);
  assert.deepEqual(paths((await validate(dir, { dir: "missing" })).errors), ["package.json"]);
  assert.deepEqual(paths((await validate(dir, { dir: "broken" })).errors), ["package.json"]);
  const unbuilt = await validate(dir, { dir: "unbuilt" });
  assert.deepEqual(
    [unbuilt.pluginName, ...paths(unbuilt.errors), ...paths(unbuilt.warnings)],
    ["unbuilt", "exports", "package.json"],
  );
  const failing = await validate(dir, { dir: "failing" });
  assert.deepEqual([...paths(failing.errors), ...paths(failing.warnings)], ["exports", "index.js"]);
});

Deno.test("a package in TypeScript needs no build", async () => {
  const dir = coreSite({}, {
    "pkg/package.json":
      '{ "name": "typed", "version": "1.0.0", "exports": { ".": "./src/index.ts" } }',
    "pkg/src/index.ts": `import { createContentModelSchema } from "@refrakt-md/runes";
      import { word } from "./word.ts";
      const transform = createContentModelSchema({ attributes: {}, contentModel: { type: "sequence", fields: [] }, transform: () => null as never });
      export default { name: "typed", version: "1.0.0", runes: { mood: { transform, description: word, fixture: "{% mood /%}" } } };`,
    "pkg/src/word.ts": "export const word: string = 'calm';",
  });
  const result = await validate(dir, { dir: "pkg" });
  assert.deepEqual([result.valid, result.errors, result.warnings], [true, [], []]);
});

Deno.test("a path that is not a package or is outside the project is an error with a code", async () => {
  const dir = coreSite({}, { "file.txt": "" });
  const outside = makeProject({ "package.json": "{}" });
  await Deno.symlink(outside, join(dir, "link"));
  const codes: [Record<string, unknown>, string][] = [
    [{}, "INVALID_ARGS"],
    [{ package: PLAN, dir: "." }, "INVALID_ARGS"],
    [{ dir: "file.txt" }, "INVALID_ARGS"],
    [{ dir: "../" }, "PERMISSION_DENIED"],
    [{ dir: outside }, "PERMISSION_DENIED"],
    [{ dir: "link" }, "PERMISSION_DENIED"],
    [{ package: "../evil" }, "PLUGIN_LOAD_FAILED"],
    [{ package: "not-in-this-project" }, "PLUGIN_LOAD_FAILED"],
  ];
  for (const [input, code] of codes) {
    assert.equal((await errorOf(validate(dir, input))).code, code, JSON.stringify(input));
  }
});
