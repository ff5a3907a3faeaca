import assert from "node:assert/strict";
import { join } from "node:path";
import {
  lstatIfExists,
  Overtaken,
  readFile,
  removeFile,
  replaceText,
  specsRoot,
  writeText,
} from "../../../plugins/ralph/files.ts";
import { makeProject } from "../../support/project.ts";

Deno.test("a file is written, read and removed; one that is missing is no error", () => {
  const cwd = makeProject({ "specs/.keep": "" });
  const path = join(cwd, "specs/a.md");
  assert.equal(readFile(cwd, path), null);
  writeText(cwd, path, "ä\n");
  assert.equal(readFile(cwd, path)?.text, "ä\n");
  removeFile(cwd, path);
  removeFile(cwd, path);
  assert.equal(lstatIfExists(path), null);
  assert.equal(lstatIfExists(join(cwd, "no/such/folder")), null);
});

Deno.test("a link out of the project is refused, and the error does not tell what it holds", () => {
  const cwd = makeProject({ "specs/.keep": "" });
  const outside = makeProject({ "secret.md": "TOP SECRET" });
  Deno.symlinkSync(join(outside, "secret.md"), join(cwd, "specs/a.md"));
  assert.throws(() => readFile(cwd, join(cwd, "specs/a.md")), (error: Error) => {
    assert.match(error.message, /specs\/a\.md/);
    assert.ok(!JSON.stringify(error).includes("SECRET") && !error.message.includes(outside));
    return true;
  });
});

Deno.test("the specs folder may be a link inside the project, and no other", () => {
  const cwd = makeProject({ "docs/specs/.keep": "" });
  assert.equal(specsRoot(cwd), join(cwd, "specs"));
  Deno.symlinkSync("docs/specs", join(cwd, "specs"));
  assert.equal(specsRoot(cwd), join(cwd, "docs/specs"));
  Deno.removeSync(join(cwd, "specs"));
  Deno.symlinkSync(makeProject(), join(cwd, "specs"));
  assert.throws(() => specsRoot(cwd), { code: "FILE_OPERATION_FAILED" });
});

Deno.test("a folder in the place of a file is a coded error that names it", () => {
  const cwd = makeProject({ "specs/a.md/b": "" });
  for (const operation of [readFile, removeFile]) {
    assert.throws(() => operation(cwd, join(cwd, "specs/a.md")), {
      code: "FILE_OPERATION_FAILED",
      message: /specs\/a\.md/,
    });
  }
});

Deno.test("a file is replaced while it is what was read, and a link without being followed", () => {
  const cwd = makeProject({ "specs/a.md": "old", "specs/target.md": "old" });
  const path = join(cwd, "specs/a.md");
  replaceText(cwd, path, "old", "new");
  assert.equal(readFile(cwd, path)?.text, "new");
  for (const old of ["old", null]) {
    assert.throws(() => replaceText(cwd, path, old, "newer"), Overtaken);
  }
  assert.throws(() => replaceText(cwd, join(cwd, "specs/b.md"), "old", "new"), Overtaken);
  replaceText(cwd, join(cwd, "specs/b.md"), null, "made");
  assert.equal(readFile(cwd, join(cwd, "specs/b.md"))?.text, "made");
  const link = join(cwd, "specs/link.md");
  Deno.symlinkSync("target.md", link);
  assert.throws(() => replaceText(cwd, link, "another", "new"), Overtaken);
  replaceText(cwd, link, "old", "new");
  assert.ok(lstatIfExists(link)?.isFile);
  assert.equal(readFile(cwd, join(cwd, "specs/target.md"))?.text, "old");
});
