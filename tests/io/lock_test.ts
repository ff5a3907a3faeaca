import assert from "node:assert/strict";
import { join } from "node:path";
import { withFolderLock } from "../../src/io/lock.ts";
import { writeFolder } from "../../src/io/write_folder.ts";
import { makeProject, readTree, SMALL_PLAN } from "../support/project.ts";
import { NOT_UNIX, testUnless } from "../support/skip.ts";
import { README_PERMISSIONS, withServer } from "../support/server.ts";
import { temporaryFile } from "../support/temporary.ts";

Deno.test("two servers give distinct ids on a disk that lacks locks of folders", async () => {
  const cwd = makeProject(SMALL_PLAN);
  const preload = temporaryFile(
    "lacks.js",
    `const real = Deno.FsFile.prototype.tryLockSync;
     Deno.FsFile.prototype.tryLockSync = function (...args) {
       if (this.statSync().isDirectory) throw new Error("Invalid handle");
       return real.apply(this, args);
     };`,
  );
  const created: string[] = [];
  const use = (server: number) =>
    withServer(cwd, async ({ ok }) => {
      await ok("plan_next");
      await Promise.all(Array.from({ length: 8 }, async (_, item) => {
        const { id } = await ok("plan_create", { type: "work", title: `Item ${server} ${item}` });
        created.push(id);
      }));
    }, { grants: [`--preload=${preload}`, ...README_PERMISSIONS] });
  await Promise.all([1, 2].map(use));
  assert.equal(new Set(created).size, 16, created.join());
  assert.deepEqual(Object.keys(readTree(cwd)).filter((path) => /lock|held|tmp/.test(path)), []);
});

const LOCK = { what: "the plan", hint: "Look", signal: new AbortController().signal };

Deno.test("work on a folder waits for its turn, whatever fails or is aborted before it", async () => {
  // Where there is no folder, only the queue keeps the work apart.
  for (const dir of [makeProject(), join(makeProject(), "missing")]) {
    const order: string[] = [];
    const step = (name: string) => async () => {
      order.push(`${name} starts`);
      await new Promise((resolve) => setTimeout(resolve, 5));
      order.push(`${name} ends`);
      if (name === "b") throw new Error("b");
    };
    const given = new AbortController();
    const results = Promise.allSettled([
      withFolderLock(writeFolder(dir), LOCK, step("a")),
      withFolderLock(writeFolder(`${dir}/.`), LOCK, step("b")),
      withFolderLock(writeFolder(dir), { ...LOCK, signal: given.signal }, step("c")),
      withFolderLock(writeFolder(dir), LOCK, step("d")),
    ]);
    given.abort();
    assert.deepEqual(
      (await results).map(({ status }) => status),
      ["fulfilled", "rejected", "rejected", "fulfilled"],
    );
    assert.deepEqual(order, ["a", "b", "d"].flatMap((name) => [`${name} starts`, `${name} ends`]));
  }
});

testUnless(NOT_UNIX, "calls time out together if another process keeps the lock", async () => {
  const dir = makeProject();
  using holder = Deno.openSync(dir, { read: true });
  holder.lockSync(true);
  const { now } = performance;
  const fail = () => assert.fail("It is locked");
  const waiting = Array.from({ length: 10 }, () => withFolderLock(writeFolder(dir), LOCK, fail));
  // They are late at once.
  performance.now = () => now.call(performance) + 20_000;
  try {
    const late = setTimeout(() => holder.unlockSync(), 10_000);
    for (const one of await Promise.allSettled(waiting)) {
      assert.equal(one.status, "rejected");
      assert.deepEqual([one.reason.code, one.reason.message.slice(-16)], [
        "TIMEOUT",
        "writing the plan",
      ]);
    }
    clearTimeout(late);
  } finally {
    performance.now = now;
  }
});

/** Runs a test with another function in place of the system's lock. */
async function withLock(
  lock: (file: Deno.FsFile, real: () => boolean) => boolean,
  test: () => Promise<void>,
): Promise<void> {
  const { prototype } = Deno.FsFile;
  const real = prototype.tryLockSync;
  prototype.tryLockSync = function (...args) {
    return lock(this, () => real.apply(this, args));
  };
  try {
    await test();
  } finally {
    prototype.tryLockSync = real;
  }
}

Deno.test("a lock on a file that its holder has deleted meanwhile does not count", async () => {
  const dir = makeProject();
  const { openSync } = Deno;
  let opened = 0;
  Deno.openSync = (path, options) => {
    const file = openSync(path, options);
    if (options?.create === true && opened++ === 0) Deno.removeSync(path);
    return file;
  };
  const lock = (file: Deno.FsFile, real: () => boolean) => {
    if (file.statSync().isDirectory) throw new Error("Invalid handle");
    return real();
  };
  await withLock(lock, async () => {
    const count = () => Object.keys(readTree(dir)).length;
    const isThere = await withFolderLock(writeFolder(dir), LOCK, count);
    assert.deepEqual([isThere, opened], [1, 2]);
  }).finally(() => Object.assign(Deno, { openSync }));
});

Deno.test("a folder that cannot be locked at all is an error, not a risk", async () => {
  const dir = makeProject();
  const lock = () => {
    throw new Error("No locks available");
  };
  await withLock(
    lock,
    () =>
      assert.rejects(withFolderLock(writeFolder(dir), LOCK, () => assert.fail("It ran")), {
        code: "FILE_OPERATION_FAILED",
        message: "Cannot lock the plan: its disk has no locks",
      }),
  );
  assert.equal(await withFolderLock(writeFolder(join(dir, "missing")), LOCK, () => 1), 1);
  assert.deepEqual(readTree(dir), {});
});
