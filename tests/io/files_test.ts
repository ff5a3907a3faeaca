import assert from "node:assert/strict";
import { join } from "node:path";
import {
  randomSuffix,
  removeFolder,
  statIfExists,
  writeFileAtomic,
  writeInPlace,
} from "../../src/io/files.ts";
import { makeProject, readTree } from "../support/project.ts";
import { NOT_UNIX, testUnless } from "../support/skip.ts";
import { swapForLink } from "../support/swap.ts";

Deno.test("a file is replaced whole, keeps its mode, and leaves nothing beside it", () => {
  const cwd = makeProject({ "a.md": "old" });
  const path = join(cwd, "a.md");
  if (Deno.build.os !== "windows") Deno.chmodSync(path, 0o640);
  writeFileAtomic(path, "new");
  writeFileAtomic(join(cwd, "b.bin"), new Uint8Array([104, 105]));
  assert.deepEqual(readTree(cwd), { "a.md": "new", "b.bin": "hi" });
  if (Deno.build.os !== "windows") assert.equal(Deno.statSync(path).mode! & 0o777, 0o640);
});

Deno.test("a write that fails leaves the old file and nothing beside it", () => {
  const cwd = makeProject({ "folder/a.md": "old" });
  assert.throws(() => writeFileAtomic(join(cwd, "folder"), "x"));
  assert.throws(() => writeFileAtomic(join(cwd, "nowhere/a.md"), "x"));
  assert.deepEqual(readTree(cwd), { "folder/a.md": "old" });
});

Deno.test("statIfExists() is null for nothing, also below a file", () => {
  const cwd = makeProject({ "a.md": "x" });
  assert.ok(statIfExists(join(cwd, "a.md"))!.isFile);
  assert.equal(statIfExists(join(cwd, "b.md")), null);
  assert.equal(statIfExists(join(cwd, "a.md/b")), null);
});

Deno.test("suffixes are not the same twice", () => {
  assert.equal(new Set(Array.from({ length: 1000 }, randomSuffix)).size, 1000);
});

Deno.test("a folder is removed with all that is in it, and none that a link leads to", () => {
  const outside = makeProject({ "gone/a.md": "outside" });
  const root = makeProject({ "gone/deep/a.md": "x", "b.md": "x" });
  removeFolder(root, join(root, "gone"));
  assert.deepEqual(readTree(root), { "b.md": "x" });
  Deno.symlinkSync(outside, join(root, "link"));
  assert.throws(() => removeFolder(root, join(root, "link/gone")), { code: "PERMISSION_DENIED" });
  assert.deepEqual(readTree(outside), { "gone/a.md": "outside" });
});

testUnless(
  NOT_UNIX,
  "a folder that becomes a link between two steps of a write or a removal costs no file outside",
  () => {
    const kinds: Record<string, (root: string, folder: string) => void> = {
      openSync: (root, folder) => writeFileAtomic(join(folder, "a.md"), "inside", { root }),
      statSync: (root, folder) => writeInPlace(join(folder, "a.md"), "inside", { root }),
      renameSync: (root, folder) => removeFolder(root, join(folder, "gone")),
    };
    for (const [name, work] of Object.entries(kinds) as ["openSync", typeof kinds[string]][]) {
      const files = { "a.md": "outside", "gone/a.md": "outside" };
      const outside = makeProject(files);
      const root = makeProject({ "folder/a.md": "inside", "folder/gone/a.md": "inside" });
      const folder = join(root, "folder");
      const real = Deno[name];
      // The last moment: just before the step that leads elsewhere.
      Deno[name] = ((...args: Parameters<typeof real>) => {
        Deno[name] = real;
        Deno.renameSync(folder, join(root, "aside"));
        Deno.symlinkSync(outside, folder);
        return real(...args);
      }) as typeof real;
      try {
        assert.throws(() => work(root, folder), { code: "PERMISSION_DENIED" }, name);
      } finally {
        Deno[name] = real;
      }
      assert.deepEqual(readTree(outside), files, name);
    }
  },
);

testUnless(
  NOT_UNIX,
  "no text is written outside, and nothing removed, while a folder is swapped for a link",
  () => {
    const outside = makeProject({ "a.md": "outside", "gone/a.md": "outside" });
    const root = makeProject({ "folder/a.md": "inside" });
    const [path, gone] = [join(root, "folder/a.md"), join(root, "folder/gone")];
    const racer = swapForLink(join(root, "folder"), outside);
    let [done, refused] = [0, 0];
    const attempt = (work: () => void) => {
      try {
        work();
        done++;
      } catch {
        refused++;
      }
    };
    try {
      for (let round = 0; round < 1500; round++) {
        attempt(() => writeFileAtomic(path, `inside ${round}`, { root }));
        attempt(() => removeFolder(root, gone));
      }
    } finally {
      racer.end();
    }
    const { "a.md": a, "gone/a.md": b, ...others } = readTree(outside);
    assert.deepEqual([a, b], ["outside", "outside"], `${done} done, ${refused} refused`);
    // A new file can be made there before it is known where it lies; it stays empty.
    assert.ok(Object.values(others).every((text) => text === ""), JSON.stringify(others));
    assert.ok(done > 0 && refused > 0, `${done} done, ${refused} refused`);
  },
);
