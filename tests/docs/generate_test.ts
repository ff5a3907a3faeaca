import assert from "node:assert/strict";
import { join } from "node:path";
import { generate, staleSnapshots } from "../../docs/generate.ts";
import { ROOT } from "../support/server.ts";

const files = await generate();

Deno.test("the reference pages and the snapshots say what the declarations say", () => {
  for (const [path, text] of files) {
    const committed = Deno.readTextFileSync(join(ROOT, path));
    assert.equal(committed, text, `${path} is stale: run deno task docs, and review the change`);
  }
});

Deno.test("every listed tool has a snapshot of its own, and no snapshot is left of one that is gone", () => {
  const lists = JSON.parse(files.get("tests/snapshots/lists.json")!);
  const names = new Set(Object.values<{ tools: string[] }>(lists).flatMap(({ tools }) => tools));
  assert.ok(names.size > 20);
  for (const name of names) {
    assert.equal(JSON.parse(files.get(`tests/snapshots/${name}.json`)!).name, name);
  }
  assert.deepEqual(staleSnapshots(files), []);
});
