import assert from "node:assert/strict";
import type * as fs from "node:fs";
import { join } from "node:path";
import { withPluginWrites } from "../../../../plugins/plan/upstream/plugin_writes.ts";
import { writeFolder } from "../../../../src/io/write_folder.ts";
import { runAsCall } from "../../../../src/stand_ins/call.ts";
import { installStandIns } from "../../../../src/stand_ins/mod.ts";
import { errorOf } from "../../../support/calls.ts";
import { makeProject, readTree } from "../../../support/project.ts";

installStandIns();

/** The file functions of a plugin, which the interceptor sees. */
const { pluginFs } = await importAsPlugin();

async function importAsPlugin(): Promise<{ pluginFs: typeof fs }> {
  const folder = makeProject({ "plugin.mjs": 'export * as pluginFs from "node:fs";\n' });
  return await import(`file://${folder}/plugin.mjs`);
}

/** Runs plugin code in a project. */
async function run<Value>(
  root: string,
  work: () => Value,
  more: Partial<Parameters<typeof withPluginWrites>[0]> = {},
): Promise<Value> {
  const { value } = await runAsCall(
    root,
    () => withPluginWrites({ folder: writeFolder(root), ...more }, work),
  );
  return value as Value;
}

Deno.test("a plugin's writes are atomic and keep the file's line ends", async () => {
  const root = makeProject({ "a.md": "one\r\ntwo\r\n" });
  await run(root, () => {
    const text = pluginFs.readFileSync(join(root, "a.md"), "utf8");
    pluginFs.writeFileSync(join(root, "a.md"), text.replaceAll("\r", "").replace("two", "2\n3"));
    pluginFs.writeFileSync(join(root, "new.md"), "new\n");
  });
  assert.deepEqual(readTree(root), { "a.md": "one\r\n2\r\n3\r\n", "new.md": "new\n" });
});

Deno.test("a file that has changed since the plugin read it is kept, with an error", async () => {
  const root = makeProject({ "a.md": "1" });
  const path = join(root, "a.md");
  const error = await errorOf(run(root, () => {
    const text = pluginFs.readFileSync(path, "utf8");
    Deno.writeTextFileSync(path, "theirs");
    pluginFs.writeFileSync(path, `${text} and ours`);
  }));
  assert.deepEqual([error.code, error.message], ["CONFLICT", "Somebody else has changed a.md"]);
  assert.equal(Deno.readTextFileSync(path), "theirs");
});
