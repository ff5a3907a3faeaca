import assert from "node:assert/strict";
import { checked, count, ok, problem, warning } from "../../../src/cli/doctor/finding.ts";
import { RefraktError } from "../../../src/errors.ts";

Deno.test("a check that fails itself is a finding with the message and the hint of the error", async () => {
  const broken = () => {
    throw new RefraktError("TOOL_FAILED", "It broke", { hint: "Mend it." });
  };
  assert.deepEqual(await checked("plan", broken), [problem("plan", "It broke", "Mend it.")]);
  const rejected = await checked("git", () => Promise.reject(new TypeError("odd")));
  assert.deepEqual(rejected, [problem("git", "odd")]);
  assert.deepEqual(await checked("git", () => [ok("git", "fine")]), [ok("git", "fine")]);
});

Deno.test("a finding without a hint has no such field", () => {
  assert.deepEqual(warning("a", "b"), { status: "warning", topic: "a", message: "b" });
});

Deno.test("count() takes the right noun", () => {
  assert.deepEqual([count(1, "error"), count(2, "error")], ["1 error", "2 errors"]);
  assert.equal(count(0, "entity", "entities"), "0 entities");
});
