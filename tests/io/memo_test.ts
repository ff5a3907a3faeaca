import assert from "node:assert/strict";
import { join } from "node:path";
import * as z from "zod";
import { RefraktError } from "../../src/errors.ts";
import { statIfExists } from "../../src/io/files.ts";
import { clearKept, keptOf } from "../../src/io/kept.ts";
import { createMemo, type Memo } from "../../src/io/memo.ts";
import { readIfExists } from "../../src/io/read.ts";
import { fileStamp, isSettled, NO_FILE, noteRead, noteUntil } from "../../src/io/reads.ts";
import { commitAll, linkTo, makeProject, writeFiles } from "../support/project.ts";

/** What is written so long before it is read that a later change shows. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 40));

/** Tells how often it makes values. */
function counting() {
  const made: string[] = [];
  const one = <Value>(name: string, value: Value) => {
    made.push(name);
    return value;
  };
  return { made, one };
}

function anew<Value>(memo: Memo, ...args: Parameters<Memo>): Value {
  memo.begin();
  return memo(...args) as Value;
}

Deno.test("a value is made again when a file, a missing file or a folder that was read has changed", async () => {
  const root = makeProject({ "a.md": "A", "folder/one": "" });
  await settled();
  const memo = createMemo();
  const { made, one } = counting();
  const make = () => {
    noteRead(join(root, "folder/"));
    const names = [...Deno.readDirSync(join(root, "folder"))].length;
    const texts = ["a.md", "b.md"].map((file) => readIfExists(root, file, "text"));
    return one("value", `${texts} ${names}`);
  };
  const values = () => anew<string>(memo, "value", make);
  assert.equal(values(), "A, 1");
  assert.equal(values(), "A, 1");
  assert.equal(made.length, 1);
  Deno.writeTextFileSync(join(root, "b.md"), "B");
  assert.equal(values(), "A,B 1");
  Deno.writeTextFileSync(join(root, "a.md"), "C");
  assert.equal(values(), "C,B 1");
  Deno.writeTextFileSync(join(root, "folder/two"), "");
  assert.equal(values(), "C,B 2");
  Deno.removeSync(join(root, "a.md"));
  assert.equal(values(), ",B 2");
});

Deno.test("values have an end, and the oldest go first", () => {
  const memo = createMemo();
  const { made, one } = counting();
  const owner = {};
  for (const name of ["a", "b", "a", "c", "a", "b"]) {
    memo([owner, "kind", name], () => one(name, name), { most: 2 });
  }
  const short = () => (noteUntil(Date.now() - 1), one("short", ""));
  for (let time = 0; time < 2; time++) anew(memo, "short", short);
  assert.deepEqual(made, ["a", "b", "c", "b", "short", "short"]);
});

Deno.test("a file that is written twice at the same moment is read twice", () => {
  const root = makeProject({ "a.md": "0" });
  const memo = createMemo();
  for (let round = 1; round < 10; round++) {
    Deno.writeTextFileSync(join(root, "a.md"), String(round));
    const read = () => readIfExists(root, "a.md", "text");
    assert.equal(anew(memo, "text", read), String(round));
  }
});

Deno.test("a value depends on what the values that it is made of have read, also when they fail", async () => {
  const root = makeProject({ "a.md": "A" });
  await settled();
  const memo = createMemo();
  const inner = () => memo("inner", () => readIfExists(root, "a.md", "text")!.toLowerCase());
  const missing = () =>
    memo("missing", () => {
      if (statIfExists(join(root, "b.md")) === null) throw new Error("missing");
      return "there";
    });
  const outer = async () => {
    await Promise.resolve();
    const first = inner();
    try {
      return first + missing();
    } catch {
      return first;
    }
  };
  const value = () => anew<Promise<string>>(memo, "outer", outer);
  assert.equal(await value(), "a");
  // It uses a value that is there.
  assert.equal(await anew(memo, "other", outer), "a");
  Deno.writeTextFileSync(join(root, "b.md"), "");
  assert.equal(await value(), "athere");
  Deno.writeTextFileSync(join(root, "a.md"), "C");
  assert.equal(await value(), "cthere");
  assert.equal(await anew(memo, "other", outer), "cthere");
});

Deno.test("callers share a promise, and go on when the one who began it is cancelled", async () => {
  const memo = createMemo();
  const { made, one } = counting();
  const begun = Promise.withResolvers<string>();
  const first = memo("value", () => one("first", begun.promise));
  const second = memo("value", () => Promise.resolve(one("second", "value")));
  begun.reject(new RefraktError("TIMEOUT", "The call was cancelled"));
  await assert.rejects(first);
  assert.equal(await second, "value");
  assert.equal(await memo("value", () => Promise.resolve("third")), "value");
  assert.deepEqual(made, ["first", "second"]);
  await assert.rejects(memo("failing", () => Promise.reject(new Error("x"))));
  assert.equal(memo("failing", () => "made"), "made");
});

Deno.test("what was made of a package stays while the package is missing, as during npm ci", async () => {
  const file = "node_modules/a/package.json";
  const root = makeProject({ [file]: "1" });
  await settled();
  const memo = createMemo();
  const value = () => anew(memo, "value", () => readIfExists(root, file, "manifest"));
  assert.equal(value(), "1");
  Deno.removeSync(join(root, "node_modules"), { recursive: true });
  assert.equal(value(), "1");
  // Another value knows that it is missing.
  assert.equal(anew(memo, "other", () => statIfExists(join(root, file))), null);
  writeFiles(root, { [file]: "2" });
  assert.equal(value(), "2");
});

Deno.test("the next start has a value that may be kept, as long as what was read is the same", async () => {
  const root = makeProject({ "a.md": "A" });
  commitAll(root, "Begin");
  await settled();
  const { made, one } = counting();
  const read = () => Promise.resolve(one("value", { text: readIfExists(root, "a.md", "text") }));
  const start = (shape: z.ZodType) =>
    createMemo(keptOf(root, "test"))("value", read, { keep: shape });
  const shape = z.object({ text: z.string() });
  assert.deepEqual(await start(shape), { text: "A" });
  assert.deepEqual(await start(shape), { text: "A" });
  assert.equal(made.length, 1);
  assert.deepEqual(await start(z.object({ other: z.string() })), { text: "A" });
  assert.equal(made.length, 2);
  Deno.writeTextFileSync(join(root, "a.md"), "B");
  assert.deepEqual(await start(shape), { text: "B" });
  await clearKept();
});

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
