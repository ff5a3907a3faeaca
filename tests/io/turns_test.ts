import assert from "node:assert/strict";
import { createTurns } from "../../src/io/turns.ts";

Deno.test("a queue runs so many at a time, and the others in their order", async () => {
  const turns = createTurns(2);
  const ends: (() => void)[] = [];
  const order: string[] = [];
  let running = 0;
  let most = 0;
  const work = (name: string) =>
    turns.run(async () => {
      order.push(name);
      most = Math.max(most, ++running);
      await new Promise<void>((resolve) => ends.push(resolve));
      running--;
    });
  const all = Promise.all(["a", "b", "c", "d", "e"].map(work));
  for (let turn = 0; turn < 50 && order.length < 5; turn++) {
    await new Promise((resolve) => setTimeout(resolve));
    ends.shift()?.();
  }
  ends.forEach((end) => end());
  await all;
  assert.deepEqual(order, ["a", "b", "c", "d", "e"]);
  assert.equal(most, 2);
});

Deno.test("who waits may give up, and the others still have their turn", async () => {
  const turns = createTurns(1);
  const first = Promise.withResolvers<void>();
  const running = turns.run(() => first.promise);
  const controller = new AbortController();
  const waiting = turns.run(() => Promise.resolve("never"), controller.signal);
  const last = turns.run(() => Promise.resolve("last"));
  controller.abort(new Error("Given up"));
  await assert.rejects(waiting, /Given up/);
  first.resolve();
  await running;
  assert.equal(await last, "last");
});

Deno.test("work that fails gives its turn back", async () => {
  const turns = createTurns(1);
  await assert.rejects(turns.run(() => Promise.reject(new Error("No"))), /No/);
  assert.equal(await turns.run(() => Promise.resolve(1)), 1);
});
