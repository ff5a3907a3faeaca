import assert from "node:assert/strict";
import { countAndLimit } from "../../src/plain_text.ts";
import { join } from "node:path";
import { readIfExists, readInside, SIZE_LIMITS } from "../../src/io/read.ts";
import { linkTo, makeProject } from "../support/project.ts";
import { NOT_LINUX, testUnless } from "../support/skip.ts";

Deno.test("readInside() follows links only within the project", () => {
  const outside = makeProject({ "secret.md": "secret" });
  const root = makeProject({ "docs/a.md": "a" });
  linkTo("docs/a.md", join(root, "in.md"));
  linkTo(join(outside, "secret.md"), join(root, "out.md"));
  linkTo(outside, join(root, "folder"));
  linkTo("nowhere", join(root, "dangling.md"));
  assert.equal(readInside(root, "in.md", "page"), "a");
  const paths = ["out.md", "folder/secret.md", "dangling.md", join(outside, "secret.md"), ".."];
  for (const path of paths) {
    assert.throws(() => readIfExists(root, path, "page"), { code: "PERMISSION_DENIED" }, path);
  }
});

testUnless(
  NOT_LINUX,
  "readInside() reads no more than the limit of a file that reports no size",
  () => {
    assert.equal(Deno.statSync("/proc/kallsyms").size, 0);
    assert.throws(() => readInside("/proc", "kallsyms", "plan"), {
      code: "FILE_OPERATION_FAILED",
      message: 'File is too large: "kallsyms" has ' +
        countAndLimit(SIZE_LIMITS.plan + 1, "bytes", SIZE_LIMITS.plan),
    });
  },
);

testUnless(NOT_LINUX, "readInside() reads regular files only, and waits for no pipe", () => {
  const root = makeProject({ "folder/a.md": "a" });
  assert.equal(new Deno.Command("mkfifo", { args: [join(root, "pipe.md")] }).outputSync().code, 0);
  for (const path of ["folder", "pipe.md"]) {
    assert.throws(() => readInside(root, path, "page"), {
      code: "FILE_OPERATION_FAILED",
      message: `Not a regular file: "${path}"`,
    });
  }
});

Deno.test("readInside() rejects a file above the limit of its kind", () => {
  const root = makeProject();
  const path = join(root, "a.md");
  const file = Deno.openSync(path, { write: true, create: true });
  file.writeSync(new Uint8Array(SIZE_LIMITS.plan).fill(0x20));
  assert.equal(readInside(root, "a.md", "plan").length, SIZE_LIMITS.plan);
  file.truncateSync(100 * SIZE_LIMITS.lock);
  file.close();
  for (const kind of Object.keys(SIZE_LIMITS) as (keyof typeof SIZE_LIMITS)[]) {
    assert.throws(() => readInside(root, "a.md", kind), {
      code: "FILE_OPERATION_FAILED",
      message: 'File is too large: "a.md" has ' +
        countAndLimit(100 * SIZE_LIMITS.lock, "bytes", SIZE_LIMITS[kind]),
    });
  }
});
