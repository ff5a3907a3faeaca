import assert from "node:assert/strict";
import { join } from "node:path";
import {
  createFile,
  readForChange,
  removeIfThere,
  replaceFile,
} from "../../src/io/shared_files.ts";
import { makeProject, readTree } from "../support/project.ts";
import { NOT_UNIX, testUnless } from "../support/skip.ts";
import { swapForLink } from "../support/swap.ts";

Deno.test("a file that is as it was seen is replaced whole, its mode kept", () => {
  const root = makeProject({ "a.md": "\uFEFFold" });
  const path = join(root, "a.md");
  Deno.chmodSync(path, 0o640);
  const seen = readForChange(root, path);
  assert.equal(seen.text, "\uFEFFold");
  assert.deepEqual(replaceFile(seen, "new"), { kind: "written" });
  assert.deepEqual(readTree(root), { "a.md": "new" });
  assert.equal(Deno.statSync(path).mode! & 0o777, 0o640);
});

Deno.test("a file that somebody changed, replaced or removed meanwhile is left to them", () => {
  const root = makeProject({ "a.md": "old" });
  const path = join(root, "a.md");
  const changed = readForChange(root, path);
  Deno.writeTextFileSync(path, "OLD");
  assert.deepEqual(replaceFile(changed, "new"), { kind: "changed" });
  const replaced = readForChange(root, path);
  Deno.writeTextFileSync(join(root, "b.md"), "OLD");
  Deno.renameSync(join(root, "b.md"), path);
  assert.deepEqual(replaceFile(replaced, "new"), { kind: "changed" });
  assert.deepEqual(readTree(root), { "a.md": "OLD" });
  const removed = readForChange(root, path);
  removeIfThere(path);
  removeIfThere(path);
  assert.deepEqual(replaceFile(removed, "new"), { kind: "changed" });
  assert.deepEqual(readTree(root), {});
});

Deno.test("a file that an editor replaces while it is read is read again", () => {
  const root = makeProject({ "a.md": "old" });
  const path = join(root, "a.md");
  const realPath = Deno.realPathSync;
  let replaced = 0;
  Deno.realPathSync = (of) => {
    // The first look finds where the file is, the second whether it still is there.
    if (of === path && ++replaced === 2) {
      Deno.writeTextFileSync(join(root, "b.md"), "new");
      Deno.renameSync(join(root, "b.md"), path);
    }
    return realPath(of);
  };
  try {
    assert.equal(readForChange(root, path).text, "new");
    assert.ok(replaced > 2);
  } finally {
    Deno.realPathSync = realPath;
  }
});

Deno.test("what cannot be written back unchanged is not read for a change", () => {
  const root = makeProject({ "folder/a.md": "", "large.md": "x".repeat(2_000_000) });
  Deno.writeFileSync(join(root, "latin1.md"), new Uint8Array([0xe4]));
  Deno.symlinkSync("/etc/hostname", join(root, "out.md"));
  for (
    const [name, code] of [
      ["folder", "FILE_OPERATION_FAILED"],
      ["large.md", "FILE_OPERATION_FAILED"],
      ["latin1.md", "VALIDATION_ERROR"],
      ["out.md", "PERMISSION_DENIED"],
    ] as const
  ) assert.throws(() => readForChange(root, join(root, name)), { code }, name);
});

Deno.test("a name is taken once", () => {
  const root = makeProject();
  assert.deepEqual([
    createFile(root, join(root, "a.md"), "1"),
    createFile(root, join(root, "a.md"), "2"),
  ], [
    true,
    false,
  ]);
  assert.deepEqual(readTree(root), { "a.md": "1" });
});

testUnless(
  NOT_UNIX,
  "nothing is replaced or made outside while a folder is swapped for a link",
  () => {
    const outside = makeProject({ "a.md": "inside" });
    const root = makeProject({ "folder/a.md": "inside" });
    const racer = swapForLink(join(root, "folder"), outside);
    let [done, refused] = [0, 0];
    try {
      for (let round = 0; round < 1500; round++) {
        try {
          const seen = readForChange(root, join(root, "folder/a.md"));
          if (replaceFile(seen, "inside").kind === "written") done++;
          if (createFile(root, join(root, `folder/${round}.md`), "new")) done++;
        } catch {
          refused++;
        }
      }
    } finally {
      racer.end();
    }
    const found = Object.entries(readTree(outside)).filter(([, text]) => text !== "");
    assert.deepEqual(found, [["a.md", "inside"]], `${done} done, ${refused} refused`);
    assert.ok(done > 0 && refused > 0, `${done} done, ${refused} refused`);
  },
);
