import assert from "node:assert/strict";
import { createResultStore } from "../../src/tools/stored_results.ts";

const read = (store: ReturnType<typeof createResultStore>, cursor: string) =>
  store.resource.read({ cursor }, undefined as never) as { data: Record<string, unknown> };

Deno.test("a rest is read by the cursor of its place, and there is nothing before it is kept", () => {
  const store = createResultStore(1000);
  const { cursor, uri } = store.reserve();
  assert.equal(uri, `refrakt://result/${cursor}`);
  assert.throws(() => read(store, cursor), { code: "NOT_FOUND" });
  store.keep(cursor, { items: [1, 2] }, 15, { total: 30, shown: 20 });
  assert.deepEqual(read(store, cursor).data["items"], [1, 2]);
  assert.deepEqual(read(store, cursor), read(store, cursor));
});

Deno.test("the oldest of many rests are forgotten, and so are those that together are too long", () => {
  const store = createResultStore(1000);
  const keep = (rest: string) => {
    const { cursor } = store.reserve();
    store.keep(cursor, { text: rest }, rest.length + 11, { total: 1, shown: 0 });
    return cursor;
  };
  const first = keep("first");
  const second = keep("second");
  for (let index = 0; index < 63; index++) keep("x");
  assert.throws(() => read(store, first), { code: "NOT_FOUND" });
  assert.ok(read(store, second));
  const long = keep("y".repeat(40_000_000));
  assert.throws(() => read(store, second), { code: "NOT_FOUND" });
  assert.ok(read(store, long), "the newest is kept, however long it is");
});

Deno.test("a cursor cannot be guessed from another one", () => {
  const store = createResultStore(1000);
  const cursors = Array.from({ length: 100 }, () => store.reserve().cursor);
  assert.equal(new Set(cursors.map((cursor) => cursor.slice(0, 8))).size, 100);
});
