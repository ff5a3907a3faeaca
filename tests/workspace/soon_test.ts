import assert from "node:assert/strict";
import { soon } from "../../src/workspace/soon.ts";

Deno.test("what is there is given at once, and what fails fails", async () => {
  assert.equal(await soon(Promise.resolve(7), 0), 7);
  await assert.rejects(soon(Promise.reject(new Error("Broken")), performance.now()), /Broken/);
});

Deno.test("what was begun long ago is not waited for again", async () => {
  assert.equal(await soon(new Promise(() => {}), performance.now() - 60_000), undefined);
});

Deno.test("what waits for nobody is given its time", async () => {
  const value = new Promise((resolve) => setTimeout(() => resolve("value"), 500));
  assert.equal(await soon(value, performance.now() - 1000, { mayStall: () => false }), "value");
});

Deno.test("work that goes on is waited for, also where it stands still for a moment", async () => {
  const started = performance.now() - 1000;
  let [done, now] = [false, performance.now()];
  const work = (async () => {
    // Pauses of more than one look, and no work between them that a look would miss.
    for (let round = 0; round < 4; round++) {
      await new Promise((resolve) => setTimeout(resolve, 130));
      now = performance.now();
      while (performance.now() - now < 30);
    }
    done = true;
    return "value";
  })();
  assert.equal(await soon(work, started), "value");
  assert.ok(done);
});

Deno.test("work that waits for a download is not waited for, however busy it keeps the process", async () => {
  let isOver = false;
  const work = (async () => {
    while (!isOver) {
      const now = performance.now();
      while (performance.now() - now < 10);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return "value";
  })();
  const isDownloading = () => Promise.resolve(true);
  assert.equal(await soon(work, performance.now(), { isDownloading }), undefined);
  isOver = true;
  assert.equal(await work, "value");
});
