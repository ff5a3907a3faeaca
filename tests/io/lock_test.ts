import assert from "node:assert/strict";
import { join } from "node:path";
import { waitForLock } from "../../src/io/lock.ts";
import { makeProject } from "../support/project.ts";

Deno.test("a lock that is free is held at once, one that is held is busy, and freed by closing", async () => {
  const path = join(makeProject({ lock: "" }), "lock");
  const open = () => Deno.openSync(path, { read: true, write: true });
  const { signal } = new AbortController();
  const first = open();
  assert.equal(await waitForLock(first, signal, 0), "held");
  const second = open();
  assert.equal(await waitForLock(second, signal, 5), "busy");
  const waiting = waitForLock(second, signal, 60_000);
  first.close();
  assert.equal(await waiting, "held");
  second.close();
});

Deno.test("waiting for a lock ends when nobody wants it any more", async () => {
  const path = join(makeProject({ lock: "" }), "lock");
  using holder = Deno.openSync(path, { read: true, write: true });
  holder.lockSync(true);
  using other = Deno.openSync(path, { read: true, write: true });
  const controller = new AbortController();
  const waiting = waitForLock(other, controller.signal, 60_000);
  controller.abort();
  assert.equal(await waiting, "cancelled");
});
