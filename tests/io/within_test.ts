import assert from "node:assert/strict";
import { within } from "../../src/io/time_limit.ts";

Deno.test("a result or failure in time is returned, a late one is not awaited", async () => {
  assert.deepEqual(await within(Promise.resolve(undefined), 60_000), { value: undefined });
  await assert.rejects(within(Promise.reject(new Error("no")), 60_000), /no/);
  const never = new Promise<void>(() => {});
  assert.equal(await within(never, 1), undefined);
  // A late rejection must not be unhandled.
  const { promise, reject } = Promise.withResolvers<void>();
  assert.equal(await within(promise, 1), undefined);
  reject(new Error("late"));
});
