import assert from "node:assert/strict";
import { join } from "node:path";
import { removeIfThere } from "../../src/io/files.ts";
import { createFile, readForChange, replaceFile } from "../../src/io/shared_files.ts";
import { makeProject, readTree } from "../support/project.ts";

Deno.test("an unchanged file is replaced atomically and keeps its mode", () => {
  const root = makeProject({ "a.md": "\uFEFFold" });
  const path = join(root, "a.md");
  Deno.chmodSync(path, 0o640);
  const seen = readForChange(root, path);
  assert.equal(seen.text, "\uFEFFold");
  assert.deepEqual(replaceFile(seen, "new"), { kind: "written" });
  assert.deepEqual(readTree(root), { "a.md": "new" });
  assert.equal(Deno.statSync(path).mode! & 0o777, 0o640);
});

Deno.test("a file that was changed, replaced or removed meanwhile is not written", () => {
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

Deno.test("a file that cannot be written back byte for byte is rejected", () => {
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

Deno.test("only one of two concurrent writers gets a name", () => {
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
