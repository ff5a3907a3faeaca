import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { loadedPackage, redirectImport, replaceModule } from "../../src/sandbox/modules.ts";
import { makeProject } from "../support/project.ts";

const root = makeProject({
  "inside/plugin.mjs": 'import os, { EOL, more } from "node:os"; export { os, EOL, more };\n',
  "inside/common.cjs": 'module.exports = require("node:os");\n',
  "outside/plugin.mjs": 'import * as os from "node:os"; export { os };\n',
  "from.mjs": 'export { value } from "./asked.mjs";\n',
  "other.mjs": 'export { value } from "./asked.mjs";\n',
  "asked.mjs": 'export const value = "asked for";\n',
  "given.mjs": 'export const value = "given";\n',
});
const url = (path: string) => pathToFileURL(`${root}/${path}`).href;

Deno.test("who is meant gets the replacement, by import and by require, and nobody else", async () => {
  const exports = { EOL: "replaced", more: 7, "not a name": 1 };
  replaceModule({
    specifiers: ["node:os"],
    from: (parent) => parent.startsWith(url("inside/")),
    exports,
  });
  const plugin = await import(url("inside/plugin.mjs"));
  assert.deepEqual([plugin.EOL, plugin.more, plugin.os], ["replaced", 7, exports]);
  assert.equal(createRequire(url("x.cjs"))(`${root}/inside/common.cjs`), exports);
  const { os } = await import(url("outside/plugin.mjs"));
  assert.notEqual(os.EOL, "replaced");
});

Deno.test("one import of one module is led to another file", async () => {
  redirectImport("./asked.mjs", url("from.mjs"), url("given.mjs"));
  assert.equal((await import(url("from.mjs"))).value, "given");
  assert.equal((await import(url("other.mjs"))).value, "asked for");
});

Deno.test("a file of the npm cache says of which package and version it is", () => {
  const cache = "file:///cache/npm/registry.example";
  for (const version of ["1.2.3", "2.0.0-beta.1_1"]) {
    redirectImport("./x", "file:///nobody", `${cache}/@acme/tool/${version}/dist/index.js`);
  }
  redirectImport("./x", "file:///nobody", "file:///project/node_modules/other/index.js");
  const at = (folder: string) => `${cache}/@acme/tool/${folder}/`;
  assert.deepEqual(loadedPackage("@acme/tool", "1.2.3"), {
    version: "1.2.3",
    base: at("1.2.3"),
  });
  const newest = { version: "2.0.0-beta.1", base: at("2.0.0-beta.1_1") };
  assert.deepEqual(loadedPackage("@acme/tool"), newest);
  assert.deepEqual(loadedPackage("@acme/tool", "^9.0.0"), newest, "a range is the last one");
  assert.equal(loadedPackage("other"), undefined);
});
