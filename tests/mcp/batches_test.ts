import assert from "node:assert/strict";
import { createBatches } from "../../src/mcp/batches.ts";

Deno.test("the answers of a batch are sent when the last one is there, and others at once", () => {
  const batches = createBatches();
  batches.begin([1, 2]);
  batches.begin([]);
  assert.equal(batches.take({ id: 1 }), undefined);
  const other = { id: 3 };
  assert.equal(batches.take(other), other);
  assert.deepEqual(batches.take({ id: 2 }), [{ id: 1 }, { id: 2 }]);
  assert.deepEqual(batches.take({ id: 2 }), { id: 2 });
});

Deno.test("a batch does not wait for a request that was cancelled", () => {
  const batches = createBatches();
  batches.begin([1, 2]);
  batches.forget(1);
  assert.deepEqual(batches.take({ id: 2 }), [{ id: 2 }]);
});
