import assert from "node:assert/strict";
import Module from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createServer } from "../../../mod.ts";
import { loadedPackage } from "../../../src/sandbox/modules.ts";
import { makeProject, SMALL_PLAN } from "../../support/project.ts";
import { ROOT } from "../../support/server.ts";

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

Deno.test("a function is imported from its own module, and any other import stays as it is", async () => {
  const others = [
    ["another name as well", IMPORT.replace(" }", ", tags }")],
    ["a second import", `${IMPORT}export { tags } from '@refrakt-md/runes';`],
    ["everything", "import * as runes from '@refrakt-md/runes';"],
    ["no import", ""],
    ["no such function", IMPORT, "export const other = 1;"],
    ["a module that does not load", IMPORT, "throw new Error('no');"],
  ] as const;
  const [expected, ...rest] = await importedDirectly([
    scannerOf(IMPORT),
    ...others.map(([, source, module]) => scannerOf(source, module)),
    "",
    "file:///nowhere/dist/scanner.js",
  ]);
  assert.deepEqual(expected, { escapeFenceTags: "escaped x" });
  assert.equal(rest.length, others.length + 2);
  rest.forEach((answer, n) => assert.deepEqual(answer, {}, others[n]?.[0] ?? "no scanner"));
});

/** What the functions answer to "x" whose imports were redirected, by name, for each scanner. */
async function importedDirectly(scanners: readonly string[]): Promise<unknown[]> {
  const script = join(ROOT, "tests/support/import_directly.ts");
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", script, ...scanners],
  }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}

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
