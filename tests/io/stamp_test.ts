import assert from "node:assert/strict";
import { isSameStamp, isUnchanged, stampOf } from "../../src/io/stamp.ts";

Deno.test("a stamp tells a changed file, and one that was changed just before it was read", () => {
  const path = Deno.makeTempFileSync();
  Deno.writeTextFileSync(path, "a");
  const before = stampOf(Deno.statSync(path));
  assert.ok(isSameStamp(before, stampOf(Deno.statSync(path))));
  assert.ok(!isUnchanged(before, before, before.mtime + 1));
  assert.ok(isUnchanged(before, before, before.mtime + 1000));
  Deno.writeTextFileSync(path, "ab");
  assert.ok(!isSameStamp(before, stampOf(Deno.statSync(path))));
  Deno.removeSync(path);
});
