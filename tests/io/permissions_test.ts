import assert from "node:assert/strict";
import { refusalToError } from "../../src/io/permissions.ts";
import { makeProject } from "../support/project.ts";
import { NOT_LINUX, NOT_UNIX, testUnless } from "../support/skip.ts";

testUnless(NOT_LINUX, "a full disk gets a hint that fits", () => {
  // `/dev/full` returns the same error as a full disk.
  let full: unknown;
  try {
    Deno.writeTextFileSync("/dev/full", "x");
  } catch (error) {
    full = error;
  }
  const error = refusalToError(full, "/project");
  assert.equal(error?.code, "FILE_OPERATION_FAILED");
  assert.match(error!.message, /^No room for the file/);
  assert.match(error!.hint!, /Free some space/);
  const refused = Object.assign(new Error("EACCES: open '/project/plan/a.md'"), { code: "EACCES" });
  assert.match(refusalToError(refused, "/project")!.message, /: plan\/a\.md$/);
  const large = Object.assign(new Error("File too large (os error 27)"), { code: "EFBIG" });
  assert.match(refusalToError(large, "/project")!.hint!, /ulimit/);
});

testUnless(NOT_UNIX, "a name that is too long is an argument to mend, and shows no place", () => {
  const root = makeProject();
  let error: unknown;
  try {
    Deno.statSync(`${root}/${"a".repeat(300)}`);
  } catch (thrown) {
    error = thrown;
  }
  const refusal = refusalToError(error, root);
  assert.equal(refusal?.code, "INVALID_ARGS");
  assert.ok(!refusal.message.includes(root), refusal.message);
});
