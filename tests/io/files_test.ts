import assert from "node:assert/strict";
import { join } from "node:path";
import { removeFolder, writeFileAtomic } from "../../src/io/files.ts";
import { writeFolder } from "../../src/io/write_folder.ts";
import { writeInFolders } from "../../src/io/write_together.ts";
import { linkTo, makeProject, readTree } from "../support/project.ts";

Deno.test("a file is replaced atomically, keeps its mode, and leaves no temporary file", () => {
  const cwd = makeProject({ "a.md": "old" });
  const path = join(cwd, "a.md");
  if (Deno.build.os !== "windows") Deno.chmodSync(path, 0o640);
  writeFileAtomic(writeFolder(cwd), path, "new");
  writeFileAtomic(writeFolder(cwd), join(cwd, "b.bin"), new Uint8Array([104, 105]));
  assert.deepEqual(readTree(cwd), { "a.md": "new", "b.bin": "hi" });
  if (Deno.build.os !== "windows") assert.equal(Deno.statSync(path).mode! & 0o777, 0o640);
});

Deno.test("removing a folder removes its contents but not the targets of links", () => {
  const outside = makeProject({ "gone/a.md": "outside" });
  const root = makeProject({ "gone/deep/a.md": "x", "b.md": "x" });
  removeFolder(writeFolder(root), join(root, "gone"));
  assert.deepEqual(readTree(root), { "b.md": "x" });
  linkTo(outside, join(root, "link"));
  assert.throws(() => removeFolder(writeFolder(root), join(root, "link/gone")), {
    code: "PERMISSION_DENIED",
  });
  assert.deepEqual(readTree(outside), { "gone/a.md": "outside" });
});

Deno.test("of several files in new folders, none leaves a folder if one cannot be made", () => {
  const root = makeProject({ "taken": "a file" });
  const file = (path: string) => ({
    folder: writeFolder(root),
    to: join(root, path),
    text: "new",
    mode: 0o644,
  });
  assert.throws(() => writeInFolders([file("a/b/one.md"), file("taken/c/two.md")]));
  assert.deepEqual(readTree(root), { taken: "a file" });
  assert.deepEqual([...Deno.readDirSync(root)].map(({ name }) => name), ["taken"]);
  writeInFolders([file("a/b/one.md"), file("c/two.md")]);
  assert.deepEqual(Object.keys(readTree(root)).sort(), ["a/b/one.md", "c/two.md", "taken"]);
});
