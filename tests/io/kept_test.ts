import assert from "node:assert/strict";
import { clearKept, keptBytes, keptOf, MOST_KEPT_BYTES } from "../../src/io/kept.ts";
import { commitAll, makeProject } from "../support/project.ts";

const open = async (root: string, version: string) => (await keptOf(root, version)!())!;

Deno.test("what is kept of a project is found by the next start of its version, until it is cleared", async () => {
  const [root, other] = ["A", "B"].map((text) => makeProject({ "a.md": text }));
  for (const cwd of [root!, other!]) commitAll(cwd, "Begin");
  const kept = await open(root!, "test");
  await kept.put("one", ["first"]);
  const found = async (cwd: string, version: string) => await (await open(cwd, version)).get("one");
  assert.deepEqual(await found(root!, "test"), ["first"]);
  assert.equal(await found(root!, "later"), undefined);
  assert.equal(await found(other!, "test"), undefined);
  await clearKept();
  assert.equal(await kept.get("one"), undefined);
  // What an earlier version left cannot be counted.
  await (await caches.open("refrakt-kept-0")).put("https://kept.invalid/a", new Response("a"));
  assert.equal(await keptBytes(), 0);
  assert.ok(!await caches.has("refrakt-kept-0"));
});

Deno.test("of more than 96 MB, the oldest goes first", async () => {
  const text = "x".repeat(24_000_000);
  const roots = Array.from({ length: 5 }, (_, at) => makeProject({ "a.md": `${at}\n` }));
  for (const root of roots) {
    commitAll(root, "Begin");
    const kept = await open(root, "test");
    await kept.put("value", text);
    await kept.put("huge", "x".repeat(40_000_000));
    assert.ok(await keptBytes() <= MOST_KEPT_BYTES);
  }
  const there = await Promise.all(
    roots.map(async (root) => await (await open(root, "test")).get("value") === text),
  );
  assert.deepEqual(there, [false, false, true, true, true]);
  // What is replaced takes room, too.
  const kept = await open(roots[4]!, "test");
  await kept.put("value", "again");
  await kept.put("value", text);
  assert.equal(await kept.get("value"), text);
  assert.ok(await keptBytes() <= MOST_KEPT_BYTES);
  await clearKept();
});
