import assert from "node:assert/strict";
import Module from "node:module";
import { pathToFileURL } from "node:url";
import { createServer } from "../../../mod.ts";
import { importDirectly } from "../../../plugins/plan/direct_imports.ts";
import { loadedPackage } from "../../../src/sandbox/modules.ts";
import { makeProject, SMALL_PLAN } from "../../support/project.ts";

const RUNES = "node_modules/@refrakt-md/runes";
const MODULE = "export const escapeFenceTags = (text) => `escaped ${text}`;";
const IMPORT = "import { escapeFenceTags } from '@refrakt-md/runes';\n";

Deno.test("a plan is listed without Markdoc, read and written without runes and YAML parsers", async () => {
  const server = await createServer({ cwd: makeProject(SMALL_PLAN) });
  assert.ok((await server.listTools()).some(({ name }) => name === "plan.next"));
  assert.ok(loadedPackage("@refrakt-md/plan"));
  assert.equal(hasMarkdoc(), false);
  await server.callTool("plan.next");
  assert.equal(hasMarkdoc(), true);
  await server.callTool("plan.update", { id: "WORK-001", assignee: "somebody" });
  assert.ok(loadedPackage("@refrakt-md/runes"));
  for (const name of ["yaml", "fast-xml-parser", "@refrakt-md/transform"]) {
    assert.equal(loadedPackage(name), undefined, name);
  }
});

Deno.test("a function is imported from its own module where the plugin takes nothing else", async () => {
  const { escapeFenceTags } = await importDirectly(scannerOf(IMPORT));
  assert.equal((escapeFenceTags as (text: string) => string)("x"), "escaped x");
});

Deno.test("an import that is not as expected stays as it is", async () => {
  for (
    const [what, source, module] of [
      ["another name as well", IMPORT.replace(" }", ", tags }")],
      ["a second import", `${IMPORT}export { tags } from '@refrakt-md/runes';`],
      ["everything", "import * as runes from '@refrakt-md/runes';"],
      ["no import", ""],
      ["no such function", IMPORT, "export const other = 1;"],
      ["a module that does not load", IMPORT, "throw new Error('no');"],
    ] as const
  ) {
    assert.deepEqual(await importDirectly(scannerOf(source, module)), {}, what);
  }
  assert.deepEqual(await importDirectly(undefined), {});
  assert.deepEqual(await importDirectly("file:///nowhere/dist/scanner.js"), {});
});

/** Whether Markdoc, which is CommonJS, was loaded. */
function hasMarkdoc(): boolean {
  const { _cache } = Module as unknown as { _cache: Record<string, unknown> };
  return Object.keys(_cache).some((path) => /@markdoc.*\.js$/.test(path));
}

/** A made-up plugin: the URL of its scanner, whose core has this source. */
function scannerOf(core: string, module = MODULE): string {
  const root = makeProject({
    [`${RUNES}/package.json`]:
      '{"name":"@refrakt-md/runes","type":"module","main":"dist/index.js"}',
    [`${RUNES}/dist/index.js`]: "throw new Error('the main module is loaded');",
    [`${RUNES}/dist/fence-escape.js`]: module,
    "plan/dist/scanner-core.js": core,
  });
  return pathToFileURL(`${root}/plan/dist/scanner.js`).href;
}
