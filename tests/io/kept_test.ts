/** What a start keeps, from within: who can read which value. */

import assert from "node:assert/strict";
import { basename, dirname, join } from "node:path";
import { allowKept, clearKept, openKept } from "../../src/io/kept.ts";
import { commitAll, git, makeProject } from "../support/project.ts";

const END = { signal: new AbortController().signal };

Deno.test("a value is nothing under another name, or in another folder of the same path", async () => {
  const root = makeProject({ "a.md": "A\n" });
  commitAll(root, "Begin");
  allowKept(root, "test");
  const kept = (await openKept(END))!;
  await kept.put("one", "first");
  await kept.put("two", "second");
  assert.deepEqual([await kept.get("one"), await kept.get("two")], ["first", "second"]);

  const moved = join(dirname(root), `${basename(root)}-moved`);
  Deno.renameSync(root, moved);
  git(dirname(root), "clone", "-q", moved, root);
  // Another start.
  const again: typeof import("../../src/io/kept.ts") = await import(
    `${import.meta.resolve("../../src/io/kept.ts")}?again`
  );
  again.allowKept(root, "test");
  assert.equal(await (await again.openKept(END))!.get("one"), undefined);
  Deno.removeSync(moved, { recursive: true });

  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    const values = (await cache.keys()).filter(({ url }) => !url.endsWith("/count"));
    const bodies = await Promise.all(values.map(async (key) => (await cache.match(key))!.bytes()));
    for (const [at, key] of values.entries()) {
      await cache.put(key, new Response(bodies[(at + 1) % bodies.length]!.slice()));
    }
  }
  assert.deepEqual([await kept.get("one"), await kept.get("two")], [undefined, undefined]);
  await clearKept();
});
