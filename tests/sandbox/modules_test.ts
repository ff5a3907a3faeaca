import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { replaceModule } from "../../src/sandbox/modules.ts";
import { makeProject } from "../support/project.ts";

const root = makeProject({
  "inside/plugin.mjs": 'import os, { EOL, more } from "node:os"; export { os, EOL, more };\n',
  "inside/common.cjs": 'module.exports = require("node:os");\n',
  "outside/plugin.mjs": 'import * as os from "node:os"; export { os };\n',
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
