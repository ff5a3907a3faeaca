import assert from "node:assert/strict";
import { inTime } from "../../src/io/time_limit.ts";

Deno.test("inTime() returns or throws what the work does, and nested work shares its limit", async () => {
  assert.deepEqual(inTime(1000, () => [1]), [1]);
  assert.equal(inTime(1000, () => undefined), undefined);
  assert.equal(inTime(1000, () => inTime(0, () => 2)), 2);
  const own = new TypeError("own");
  assert.throws(() =>
    inTime(1000, () => {
      throw own;
    }), own);
  assert.equal(inTime(1000, () => 3), 3);
  assert.equal(await inTime(1000 / 3, () => Promise.resolve(4)), 4);
});

Deno.test("inTime() ends a synchronous loop without affecting the next call", () => {
  const loop = () => {
    for (;;) {
      try {
        for (;;);
      } finally {
        // The work has stopped completely.
      }
    }
  };
  assert.throws(() => inTime(20, loop), { code: "TIMEOUT", message: /longer than 0.02 seconds/ });
  assert.equal(inTime(1000, () => 1), 1);
});

Deno.test("inTime() times out if the work ends just after the limit", () => {
  const end = () => {
    const until = performance.now() + 30;
    while (performance.now() < until);
  };
  assert.throws(() => inTime(10, end, (said) => new RangeError(said)), RangeError);
});

Deno.test("two copies of the module have separate limits", async () => {
  const copy = "../../src/io/time_limit.ts?copy";
  const other: { inTime: typeof inTime } = await import(copy);
  assert.equal(inTime(1000, () => other.inTime(1000, () => 1)), 1);
});
