import assert from "node:assert/strict";
import { brief, count, few, fileFailure } from "../../../plugins/ralph/failures.ts";
import { RefraktError } from "../../../src/errors.ts";

Deno.test("a missing grant is PERMISSION_DENIED with its flag; what the system refuses is not", () => {
  const grant = new Deno.errors.NotCapable('Requires write access to "/p/specs", run again');
  const denied = fileFailure("/p", "write", "specs", grant);
  assert.equal(denied.code, "PERMISSION_DENIED");
  assert.match(denied.hint!, /--allow-write=specs\b.*ralph_status/);
  const system = fileFailure(
    "/p",
    "write",
    "specs",
    new Deno.errors.PermissionDenied("os error 13"),
  );
  assert.equal(system.code, "FILE_OPERATION_FAILED");
  assert.equal(system.message, "Failed to write specs. Check file permissions.");
  assert.equal(
    fileFailure("/p", "write", "specs", denied),
    denied,
    "what has its words keeps them",
  );
  const own = new RefraktError("SPEC_NOT_FOUND", "x");
  assert.equal(fileFailure("/p", "write", "specs", own), own);
});

Deno.test("what goes into a message is short and on one line", () => {
  assert.equal(brief("a\n\n# b\t<!-- c"), "a # b &lt;!-- c");
  assert.ok(brief("x\n".repeat(1_000_000)).length < 320);
  assert.ok(brief("😀".repeat(1_000)).isWellFormed());
  assert.equal(few(["a", "b", "c"], 2), "a, b and 1 more");
  assert.deepEqual(
    [count(1, "story"), count(2, "story"), count(2, "criterion"), count(0, "task")],
    [
      "1 story",
      "2 stories",
      "2 criteria",
      "0 tasks",
    ],
  );
});
