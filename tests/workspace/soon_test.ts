import assert from "node:assert/strict";
import { soon } from "../../src/workspace/soon.ts";

Deno.test("what is there is given at once, and what fails fails", async () => {
  assert.equal(await soon(Promise.resolve(7), 0), 7);
  await assert.rejects(soon(Promise.reject(new Error("Broken")), performance.now()), /Broken/);
});

Deno.test("what was begun long ago is not waited for again", async () => {
  assert.equal(await soon(new Promise(() => {}), performance.now() - 60_000), undefined);
});
