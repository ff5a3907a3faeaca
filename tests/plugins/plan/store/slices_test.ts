import assert from "node:assert/strict";
import { inSlices } from "../../../../plugins/plan/store/slices.ts";

function* steps(count: number): Generator<void, string> {
  for (let index = 0; index < count; index++) {
    const until = performance.now() + 4;
    while (performance.now() < until);
    yield;
  }
  return "done";
}

Deno.test("long work lets timers in between its slices", async () => {
  let between = 0;
  const timer = setInterval(() => between++, 0);
  try {
    assert.equal(await inSlices(steps(40)), "done");
  } finally {
    clearInterval(timer);
  }
  assert.ok(between > 3, `${between}`);
});
