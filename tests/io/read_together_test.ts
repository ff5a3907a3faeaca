import assert from "node:assert/strict";
import { join } from "node:path";
import { readTogether } from "../../src/io/read_together.ts";
import { makeProject } from "../support/project.ts";

Deno.test("readTogether() reads what lies in the project, and leaves the others", () => {
  const outside = makeProject({ "a.md": "secret" });
  const root = makeProject({
    "docs/a.md": "\uFEFFä\r\n",
    "docs/empty.md": "",
    "docs/long.md": "x".repeat(600_000),
    "other/a.md": "other",
  });
  Deno.symlinkSync(join(outside, "a.md"), join(root, "docs/link.md"));
  Deno.symlinkSync("a.md", join(root, "docs/inner.md"));
  Deno.symlinkSync("docs", join(root, "linked"));
  Deno.symlinkSync(outside, join(root, "out"));
  const docs = join(root, "docs");
  const read = (folder: string, ...names: string[]) =>
    readTogether(
      root,
      folder,
      names.map((name) => ({ name, size: Deno.lstatSync(join(folder, name)).size })),
      "page",
    );
  assert.deepEqual(read(docs, "a.md", "empty.md"), ["\uFEFFä\r\n", ""]);
  assert.deepEqual(
    read(docs, "link.md", "inner.md", "long.md", "a.md"),
    [undefined, "\uFEFFä\r\n", undefined, "\uFEFFä\r\n"],
  );
  assert.deepEqual(readTogether(root, docs, [{ name: "b.md", size: 3 }], "page"), [undefined]);
  assert.deepEqual(read(join(root, "linked"), "a.md"), ["\uFEFFä\r\n"]);
  assert.deepEqual(read(join(root, "out"), "a.md"), [undefined]);
  assert.deepEqual(read(outside, "a.md"), [undefined]);
});
