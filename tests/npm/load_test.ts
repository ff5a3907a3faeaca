import assert from "node:assert/strict";
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

Deno.test("a missing export is told from a package that is broken", () => {
  assert.ok(isMissingExport(new Error("[ERR_PACKAGE_PATH_NOT_EXPORTED] './cli-plugin'")));
  assert.ok(isMissingExport({ cause: new Error("Cannot find module '/x/cli-plugin.js'") }));
  assert.ok(isMissingExport(new Error("Unable to load /x/1.0.0/cli-plugin imported from y")));
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
