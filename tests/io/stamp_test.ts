import assert from "node:assert/strict";
import { fileStamp, isSettled, NO_FILE } from "../../src/io/reads.ts";
import { linkTo, makeProject } from "../support/project.ts";

Deno.test("a stamp tells a later write, a replaced file of the same size and time, and a link", () => {
  const folder = makeProject({ a: "same", b: "same" });
  const [path, other] = [`${folder}/a`, `${folder}/b`];
  const time = 1_000_000;
  for (const file of [path, other]) Deno.utimeSync(file, new Date(time), new Date(time));
  const before = fileStamp(path);
  const changed = Deno.statSync(path).ctime!.getTime();
  assert.deepEqual([1, 1000].map((ms) => isSettled(before, changed + ms)), [false, true]);
  Deno.renameSync(other, path);
  assert.notEqual(fileStamp(path), before);
  linkTo(path, other);
  assert.equal(fileStamp(other), fileStamp(path));
  assert.notEqual(fileStamp(other, { link: true }), fileStamp(path));
  assert.equal(fileStamp(`${folder}/none`), NO_FILE);
});
