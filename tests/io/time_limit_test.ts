import assert from "node:assert/strict";
import { AsyncLocalStorage } from "node:async_hooks";
import { withTimeLimit } from "../../src/io/time_limit.ts";
import { eachInTurn } from "../../src/io/turns.ts";

Deno.test("a function returns or throws as without a limit, and nested ones share it", async () => {
  assert.deepEqual(withTimeLimit(1000, () => [1]), [1]);
  assert.equal(withTimeLimit(1000, () => undefined), undefined);
  assert.equal(withTimeLimit(1000, () => withTimeLimit(0, () => 2)), 2);
  const own = new TypeError("own");
  assert.throws(() =>
    withTimeLimit(1000, () => {
      throw own;
    }), own);
  assert.equal(withTimeLimit(1000, () => 3), 3);
  assert.equal(await withTimeLimit(1000 / 3, () => Promise.resolve(4)), 4);
});

Deno.test("a synchronous loop is ended without affecting the next call", () => {
  const loop = () => {
    for (;;) {
      try {
        for (;;);
      } finally {
        // The work has stopped completely.
      }
    }
  };
  assert.throws(() => withTimeLimit(20, loop), {
    code: "TIMEOUT",
    message: /longer than 0.02 seconds/,
  });
  assert.equal(withTimeLimit(1000, () => 1), 1);
});

Deno.test("a function that ends just after the limit is late", () => {
  const end = () => {
    const until = performance.now() + 30;
    while (performance.now() < until);
  };
  assert.throws(() =>
    withTimeLimit(10, end, (reason) => {
      throw new RangeError(reason);
    }), RangeError);
});

Deno.test("a promise in time is returned or rejects; a late one is not awaited", async () => {
  const late = () => "late";
  assert.equal(await withTimeLimit(60_000, Promise.resolve(undefined), late), undefined);
  await assert.rejects(withTimeLimit(60_000, Promise.reject(new Error("no")), late), /no/);
  assert.equal(await withTimeLimit(1, new Promise<void>(() => {}), late), "late");
  // A late rejection must not be unhandled.
  const { promise, reject } = Promise.withResolvers<void>();
  assert.equal(await withTimeLimit(1, promise, late), "late");
  reject(new Error("late"));
});

Deno.test("what is stopped leaves the store that it has entered; the others of its slice go on", async () => {
  const store = new AsyncLocalStorage<string>();
  await store.run("outer", async () => {
    const work = (item: number) =>
      item === 2
        ? withTimeLimit(20, () =>
          store.run("inner", (): number => {
            for (;;);
          }))
        : item * 10;
    const turns: number[] = [];
    const outcomes = await eachInTurn([1, 2, 3], (steps = 0) => {
      turns.push(steps);
      return Promise.resolve();
    }, work);
    assert.deepEqual([outcomes[0], outcomes[2]], [{ value: 10 }, { value: 30 }]);
    assert.ok("error" in outcomes[1]! && /longer than 0.02/.test(String(outcomes[1].error)));
    assert.deepEqual(turns, [2, 1]);
    assert.equal(store.getStore(), "outer");
  });
});
