import assert from "node:assert/strict";
import { within } from "../../src/io/time_limit.ts";

Deno.test("what comes in time is taken, a failure too, and what does not is not waited for", async () => {
  assert.deepEqual(await within(Promise.resolve(undefined), 60_000), { value: undefined });
  await assert.rejects(within(Promise.reject(new Error("no")), 60_000), /no/);
  const never = new Promise<void>(() => {});
  assert.equal(await within(never, 1), undefined);
  // One that fails later is nobody's unhandled rejection.
  const { promise, reject } = Promise.withResolvers<void>();
  assert.equal(await within(promise, 1, false), undefined);
  reject(new Error("late"));
});
