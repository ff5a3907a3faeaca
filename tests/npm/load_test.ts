import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { DENO_MESSAGES } from "../../src/io/deno_messages.ts";
import { hasExport, isInRegistry, isMissingExport } from "../../src/npm/load.ts";
import { openProject } from "../../src/project/project.ts";
import { makeProject } from "../support/project.ts";

Deno.test("whether a package has an export is known from its manifest, where it lies in the project", () => {
  const project = openProject(makeProject({
    "node_modules/@a/b/package.json": '{"version":"1.0.0","exports":{"./cli-plugin":"./p.js"}}',
  }));
  assert.deepEqual(
    [hasExport(project, "@a/b", "cli-plugin"), hasExport(project, "@a/b", "other")],
    [true, false],
  );
  assert.equal(hasExport(project, "@a/none", "cli-plugin"), undefined);
  assert.equal(hasExport(project, "../../etc", "cli-plugin"), undefined);
});

Deno.test("a missing export is told from a package that is broken", async () => {
  assert.ok(isMissingExport(new Error("[ERR_PACKAGE_PATH_NOT_EXPORTED] './cli-plugin'")));
  assert.ok(isMissingExport({ cause: new Error("Cannot find module '/x/cli-plugin.js'") }));
  const cwd = makeProject({
    "package.json": '{ "dependencies": { "dep": "1.0.0" } }',
    "node_modules/dep/package.json": JSON.stringify({
      name: "dep",
      version: "1.0.0",
      exports: { "./cli-plugin": "./cli-plugin.js" },
    }),
    "import.mjs": `for (const specifier of Deno.args) {
      await import(specifier).catch(({ message }) => console.log(JSON.stringify(message)));
    }`,
  });
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-R", "--node-modules-dir=manual", "import.mjs", "npm:dep/cli-plugin"]
      .concat(pathToFileURL(`${cwd}/node_modules/dep/cli-plugin.js`).href),
    cwd,
    env: { NO_COLOR: "1" },
  }).output();
  const said = new TextDecoder().decode(stdout).trim().split("\n").map((line) => JSON.parse(line));
  assert.equal(said.length, 2);
  for (const message of said) {
    assert.match(message, DENO_MESSAGES.noFile);
    assert.ok(isMissingExport(new Error(message)), message);
  }
  for (
    const other of [new Error("Cannot find module 'zod'"), new SyntaxError("x"), null, undefined, 7]
  ) {
    assert.ok(!isMissingExport(other));
  }
});

Deno.test("what is taken from the project or must not come from the registry is not waited for there", () => {
  const version = { name: "a", version: "1.0.0", from: "default" };
  assert.ok(isInRegistry(version));
  assert.ok(!isInRegistry({ ...version, root: "/site" }));
  assert.ok(!isInRegistry({ ...version, notFromRegistry: "It is private" }));
});
