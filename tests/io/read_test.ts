import assert from "node:assert/strict";
import { join } from "node:path";
import { readIfExists, readInside, SIZE_LIMITS } from "../../src/io/read.ts";
import { isNotFound } from "../../src/io/paths.ts";
import { makeProject } from "../support/project.ts";
import { NOT_LINUX, NOT_UNIX, testUnless } from "../support/skip.ts";

Deno.test("readInside() reads a file whole, with its byte order mark", () => {
  const root = makeProject({ "a.md": "\uFEFFä".repeat(1000), "empty.md": "" });
  assert.equal(readInside(root, "a.md", "page"), "\uFEFFä".repeat(1000));
  assert.equal(readInside(root, join(root, "empty.md"), "page"), "");
});

Deno.test("readIfExists() answers null where there is no file", () => {
  const root = makeProject({ "a.md": "a" });
  assert.equal(readIfExists(root, "b.md", "page"), null);
  assert.equal(readIfExists(root, "a.md/c.md", "page"), null);
  assert.throws(() => readInside(root, "b.md", "page"), isNotFound);
});

Deno.test("readInside() follows a link inside the project and none out of it", () => {
  const outside = makeProject({ "secret.md": "secret" });
  const root = makeProject({ "docs/a.md": "a" });
  Deno.symlinkSync("docs/a.md", join(root, "in.md"));
  Deno.symlinkSync(join(outside, "secret.md"), join(root, "out.md"));
  Deno.symlinkSync(outside, join(root, "folder"));
  Deno.symlinkSync("nowhere", join(root, "dangling.md"));
  assert.equal(readInside(root, "in.md", "page"), "a");
  for (
    const path of ["out.md", "folder/secret.md", "dangling.md", join(outside, "secret.md"), ".."]
  ) {
    assert.throws(() => readIfExists(root, path, "page"), { code: "PERMISSION_DENIED" }, path);
  }
});

testUnless(NOT_UNIX, "readInside() refuses a FIFO, a folder and a socket at once", () => {
  const root = makeProject({ "folder/a.md": "a" });
  new Deno.Command("mkfifo", { args: [join(root, "fifo")] }).outputSync();
  const server = Deno.listen({ transport: "unix", path: join(root, "socket") });
  try {
    for (const path of ["fifo", "folder", "socket"]) {
      assert.throws(
        () => readInside(root, path, "config"),
        { code: "FILE_OPERATION_FAILED", message: /^Not a regular file: / },
        path,
      );
    }
  } finally {
    server.close();
  }
});

testUnless(
  NOT_UNIX,
  "readInside() never reads a device, also where the folder of devices is the project",
  () => {
    const root = makeProject();
    Deno.symlinkSync("/dev/zero", join(root, "package.json"));
    assert.throws(() => readInside(root, "package.json", "manifest"), {
      code: "PERMISSION_DENIED",
    });
    assert.throws(() => readInside("/dev", "zero", "manifest"), { code: "FILE_OPERATION_FAILED" });
  },
);

testUnless(
  NOT_LINUX,
  "readInside() reads no more than the limit of a file that reports no size",
  () => {
    assert.equal(Deno.statSync("/proc/kallsyms").size, 0);
    assert.throws(() => readInside("/proc", "kallsyms", "plan"), {
      code: "FILE_OPERATION_FAILED",
      message: `File is too large: "kallsyms" has more than ${SIZE_LIMITS.plan} bytes`,
    });
  },
);

Deno.test("readInside() refuses a file that is larger than its kind may be", () => {
  const root = makeProject();
  const path = join(root, "a.md");
  const file = Deno.openSync(path, { write: true, create: true });
  file.truncateSync(SIZE_LIMITS.plan);
  assert.equal(readInside(root, "a.md", "plan").length, SIZE_LIMITS.plan);
  file.truncateSync(100 * SIZE_LIMITS.lock);
  file.close();
  for (const kind of Object.keys(SIZE_LIMITS) as (keyof typeof SIZE_LIMITS)[]) {
    assert.throws(() => readInside(root, "a.md", kind), {
      code: "FILE_OPERATION_FAILED",
      message: `File is too large: "a.md" has more than ${SIZE_LIMITS[kind]} bytes`,
    });
  }
});

Deno.test("no error of readInside() names the place of the project on the machine", () => {
  const root = makeProject({ "folder/a.md": "a" });
  for (const path of ["folder", join(root, "folder")]) {
    assert.throws(
      () => readInside(root, path, "page"),
      (error: Error) => !error.message.includes(root),
    );
  }
});
