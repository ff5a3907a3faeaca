import assert from "node:assert/strict";
import {
  dependencyOf,
  exportTarget,
  isCached,
  resolvedFile,
  seenFrom,
} from "../../src/npm/disk.ts";
import { makeProject } from "../support/project.ts";

Deno.test("an export is found by its name, its pattern and its conditions", () => {
  const exports = {
    ".": { require: "./a.cjs", import: "./a.js" },
    "./cli-plugin": [{ browser: "./x.js" }, "./plugin.js"],
    "./lib/*": "./dist/*.js",
    "./none": null,
  };
  const find = (subpath?: string) => exportTarget({ exports }, subpath);
  assert.deepEqual([find(), find("cli-plugin"), find("lib/a/b")], [
    "./a.js",
    "./plugin.js",
    "./dist/a/b.js",
  ]);
  for (const none of ["none", "other", "constructor", "__proto__"]) {
    assert.equal(find(none), undefined, none);
  }
});

Deno.test("a package without exports has its main module, and files by their names", () => {
  assert.equal(exportTarget({ main: "lib.js" }, undefined), "lib.js");
  assert.equal(exportTarget({}, undefined), "index.js");
  assert.equal(exportTarget({}, "cli-plugin"), "./cli-plugin.js");
  assert.equal(exportTarget({ exports: "./only.js" }, "cli-plugin"), undefined);
  assert.equal(exportTarget(undefined, undefined), undefined);
});

Deno.test("an export that leads out of its package is none", () => {
  for (const target of ["../../etc/passwd", "/etc/passwd", "https://example/x.js", "node:fs", 7]) {
    assert.equal(exportTarget({ exports: { ".": target } }, undefined), undefined);
  }
});

Deno.test("Deno's cache is told from a project's node_modules", () => {
  const cached = (path: string) => isCached(new URL(`file://${path}`));
  assert.ok(cached("/home/a/.cache/deno/npm/registry.npmjs.org/@a/b/1.2.3/index.js"));
  assert.ok(!cached("/home/a/site/node_modules/@a/b/index.js"));
  assert.ok(!cached("/work/npm/x/node_modules/b/1.2.3/index.js"));
  assert.equal(resolvedFile("npm:\0"), undefined);
});

Deno.test("a dependency is the one that lies nearest to the package that asks, and within the project", () => {
  const manifest = (version: string) => JSON.stringify({ version });
  const root = makeProject({
    "node_modules/b/package.json": manifest("1.0.0"),
    "packages/a/node_modules/b/package.json": manifest("2.0.0"),
    "packages/c/package.json": manifest("0.0.0"),
  });
  const seenBy = (folder: string, name = "b") => seenFrom(`${root}/${folder}`, root, name);
  assert.equal(seenBy("packages/a"), `${root}/packages/a/node_modules/b`);
  assert.equal(seenBy("packages/c"), `${root}/node_modules/b`);
  assert.equal(seenBy("packages/c", "none"), undefined);
  assert.equal(seenFrom("/", root, "b"), undefined);
  const member = { path: `${root}/packages/a`, kind: "workspace" } as const;
  const asks = { name: "x", version: "1.0.0", from: "workspace", root, folder: member };
  assert.deepEqual(dependencyOf(asks, "b"), {
    name: "b",
    version: "2.0.0",
    from: "node_modules",
    root,
    folder: { path: `${root}/packages/a/node_modules/b`, kind: "node_modules" },
  });
  Deno.symlinkSync(`${root}/packages/c`, `${root}/packages/a/node_modules/c`);
  assert.deepEqual(dependencyOf(asks, "c")?.folder, {
    path: `${root}/packages/c`,
    kind: "workspace",
  });
  assert.equal(dependencyOf({ name: "x", version: "1.0.0", from: "default" }, "b"), undefined);
});
