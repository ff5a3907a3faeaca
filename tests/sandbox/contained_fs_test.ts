import assert from "node:assert/strict";
import { runAsCall, withInterceptor } from "../../src/sandbox/call.ts";
import { checkPath, containedFs } from "../../src/sandbox/contained_fs.ts";
import { makeProject, readTree } from "../support/project.ts";

type Functions = Record<string, (...args: unknown[]) => unknown>;

function project() {
  const outside = makeProject({ "secret.md": "secret" });
  const root = makeProject({ "a.md": "a", "x/b.md": "b" });
  Deno.symlinkSync(outside, `${root}/out`);
  Deno.symlinkSync(`${root}/x`, `${root}/in`);
  const { fs, promises } = containedFs(() => root);
  return { root, outside, fs: fs as Functions, promises: promises as Functions };
}

Deno.test("a link that leads out of the project is followed by no function, one within it is", async () => {
  const { root, outside, fs, promises } = project();
  const path = `${root}/out/secret.md`;
  const before = readTree(outside);
  for (
    const name of ["readFileSync", "unlinkSync", "readdirSync", "statSync", "openSync", "rmSync"]
  ) {
    assert.throws(() => fs[name]!(path), { code: "EACCES" }, name);
  }
  assert.throws(() => fs["writeFileSync"]!(path, "x"), { code: "EACCES" });
  assert.throws(() => fs["copyFileSync"]!(`${root}/a.md`, `${root}/out/new.md`), {
    code: "EACCES",
  });
  await assert.rejects(promises["writeFile"]!(path, "x") as Promise<void>, { code: "EACCES" });
  assert.equal(fs["existsSync"]!(path), false);
  assert.deepEqual(readTree(outside), before);
  assert.equal(fs["readFileSync"]!(new URL(`file://${root}/in/b.md`), "utf8"), "b");
});

Deno.test("a path outside of the project is left to the runtime's permissions", () => {
  const { root } = project();
  assert.equal(checkPath(root, "/etc/hosts"), undefined);
  assert.equal(checkPath(root, 1), undefined);
  assert.equal(checkPath(root, "in/new.md"), `${root}/x/new.md`);
  assert.throws(() => checkPath(root, "x/../out/new.md"), { code: "EACCES" });
});

Deno.test("what a call reads and writes can be looked at, changed and refused", async () => {
  const { root, fs } = project();
  await runAsCall(root, () =>
    withInterceptor({
      read: (path) => path.endsWith("a.md") ? "other" : undefined,
      write: (path, text) => {
        if (text === "bad") throw new Error("Refused");
        return text === "none" ? null : { path, text: text.toUpperCase() };
      },
    }, () => {
      assert.equal(fs["readFileSync"]!(`${root}/a.md`, "utf8"), "other");
      assert.equal(fs["readFileSync"]!(`${root}/x/b.md`, "utf8"), "b");
      fs["writeFileSync"]!(`${root}/new.md`, "text");
      fs["writeFileSync"]!(`${root}/left.md`, "none");
      assert.throws(() => fs["writeFileSync"]!(`${root}/x/b.md`, "bad"), /Refused/);
    }));
  assert.deepEqual(
    [readTree(root)["new.md"], readTree(root)["left.md"], readTree(root)["x/b.md"]],
    [
      "TEXT",
      undefined,
      "b",
    ],
  );
});

Deno.test("what is printed by a descriptor belongs to the call, and the input has ended", async () => {
  const { root, fs } = project();
  const { stdout, stderr } = await runAsCall(root, () => {
    assert.equal(fs["writeSync"]!(1, "out "), 4);
    fs["writeSync"]!(1, new TextEncoder().encode("abcdef"), 2, 3);
    fs["writeFileSync"]!("/dev/stderr", "err");
    fs["appendFileSync"]!(1, "!");
    fs["closeSync"]!(1);
    assert.equal(fs["readFileSync"]!(0, "utf8"), "");
    assert.equal(fs["readSync"]!(0, new Uint8Array(8)), 0);
  });
  assert.deepEqual([stdout, stderr], ["out cde!", "err"]);
});
