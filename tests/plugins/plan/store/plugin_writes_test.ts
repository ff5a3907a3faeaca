import assert from "node:assert/strict";
import type * as fs from "node:fs";
import { join } from "node:path";
import { withPluginWrites } from "../../../../plugins/plan/store/plugin_writes.ts";
import { runAsCall } from "../../../../src/sandbox/call.ts";
import { enterSandbox } from "../../../../src/sandbox/mod.ts";
import { errorOf } from "../../../support/calls.ts";
import { makeProject, readTree } from "../../../support/project.ts";

enterSandbox(Deno.cwd());

/** The file functions that a plugin gets: those that the interceptor sees. */
const { pluginFs } = await importAsPlugin();

async function importAsPlugin(): Promise<{ pluginFs: typeof fs }> {
  const folder = makeProject({ "plugin.mjs": 'export * as pluginFs from "node:fs";\n' });
  return await import(`file://${folder}/plugin.mjs`);
}

/** Runs what a plugin would do, in a project. */
async function run<Value>(
  root: string,
  work: () => Value,
  more: Partial<Parameters<typeof withPluginWrites>[0]> = {},
): Promise<Value> {
  const { value } = await runAsCall(root, () => withPluginWrites({ root, ...more }, work));
  return value as Value;
}

Deno.test("what a plugin writes is whole, and keeps the line ends that the file has", async () => {
  const root = makeProject({ "a.md": "one\r\ntwo\r\n" });
  await run(root, () => {
    const text = pluginFs.readFileSync(join(root, "a.md"), "utf8");
    pluginFs.writeFileSync(join(root, "a.md"), text.replaceAll("\r", "").replace("two", "2\n3"));
    pluginFs.writeFileSync(join(root, "new.md"), "new\n");
  });
  assert.deepEqual(readTree(root), { "a.md": "one\r\n2\r\n3\r\n", "new.md": "new\n" });
});

Deno.test("work begins again where somebody else has written since, and loses nothing", async () => {
  const root = makeProject({ "a.md": "1" });
  const path = join(root, "a.md");
  let runs = 0;
  await run(root, () => {
    const text = pluginFs.readFileSync(path, "utf8");
    // The first time somebody else is quicker.
    if (++runs === 1) Deno.writeTextFileSync(path, "theirs");
    pluginFs.writeFileSync(path, `${text} and ours`);
  });
  assert.deepEqual([runs, Deno.readTextFileSync(path)], [2, "theirs and ours"]);
});

Deno.test("somebody who writes at every try wins, and the error says so", async () => {
  const root = makeProject({ "a.md": "0" });
  const path = join(root, "a.md");
  let runs = 0;
  const error = await errorOf(run(root, () => {
    const text = pluginFs.readFileSync(path, "utf8");
    Deno.writeTextFileSync(path, `${++runs}`);
    pluginFs.writeFileSync(path, `${text} and ours`);
  }));
  assert.deepEqual([error.code, error.message], [
    "CONFLICT",
    "Somebody else keeps changing a.md",
  ]);
  assert.deepEqual([runs, Deno.readTextFileSync(path)], [5, "5"]);
});

Deno.test("a write may be left out, and another error ends the work", async () => {
  const root = makeProject({ "a.md": "a" });
  const [path, skipped] = [join(root, "a.md"), join(root, "cache.json")];
  const read = await run(root, () => {
    pluginFs.writeFileSync(skipped, "{}");
    return pluginFs.readFileSync(path, "utf8");
  }, { skip: (one) => one === skipped });
  assert.equal(read, "a");
  assert.deepEqual(readTree(root), { "a.md": "a" });
  let runs = 0;
  await assert.rejects(
    run(root, () => {
      runs++;
      throw new Error("its own");
    }),
    /its own/,
  );
  assert.equal(runs, 1);
});
