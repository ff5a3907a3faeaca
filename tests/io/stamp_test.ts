import assert from "node:assert/strict";
import { fileStamp, isUnchanged, NO_FILE, stampOf } from "../../src/io/stamp.ts";
import { linkTo } from "../support/project.ts";
import { temporaryFile, temporaryFolder } from "../support/temporary.ts";

Deno.test("a stamp detects a changed file, also one changed just before it was read", () => {
  const path = temporaryFile("a", "");
  Deno.writeTextFileSync(path, "a");
  const info = Deno.statSync(path);
  const [before, modified] = [stampOf(info), info.mtime!.getTime()];
  assert.equal(before, fileStamp(path));
  assert.ok(!isUnchanged(before, before, modified + 1));
  assert.ok(isUnchanged(before, before, modified + 1000));
  Deno.writeTextFileSync(path, "ab");
  assert.ok(!isUnchanged(fileStamp(path), before, modified + 1000));
});

Deno.test("a serialized stamp detects writes, and a replaced file of the same size and time", () => {
  const folder = temporaryFolder();
  const [path, other] = [`${folder}/a`, `${folder}/b`];
  const at = new Date(1_000_000);
  for (const file of [path, other]) {
    Deno.writeTextFileSync(file, "same");
    Deno.utimeSync(file, at, at);
  }
  const before = fileStamp(path);
  assert.equal(fileStamp(path), before);
  Deno.renameSync(other, path);
  assert.notEqual(fileStamp(path), before);
  linkTo(path, other);
  assert.equal(fileStamp(other), fileStamp(path));
  assert.notEqual(fileStamp(other, { link: true }), fileStamp(path));
  assert.equal(fileStamp(`${folder}/none`), NO_FILE);
});
