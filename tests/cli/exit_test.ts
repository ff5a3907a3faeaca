import assert from "node:assert/strict";
import { describeError, errorText, exitCodeOf, USAGE } from "../../src/cli/exit.ts";
import { RefraktError } from "../../src/errors.ts";

Deno.test("arguments that are not understood end with 2, everything else with 1", () => {
  assert.equal(exitCodeOf(new RefraktError("INVALID_ARGS", "x")), USAGE);
  assert.equal(USAGE, 2);
  for (const error of [new RefraktError("NOT_FOUND", "x"), new Error("x"), "x"]) {
    assert.equal(exitCodeOf(error), 1);
  }
});

Deno.test("an error is said with its hint on a line of its own, and its code where programs read it", () => {
  const error = new RefraktError("NOT_FOUND", "No such thing", { hint: "List them." });
  assert.equal(describeError(error), "NOT_FOUND: No such thing\nList them.");
  assert.equal(errorText(error), "Error: No such thing\nList them.");
  assert.equal(errorText(new RefraktError("NOT_FOUND", "No")), "Error: No");
  assert.equal(errorText(new TypeError("odd")), "Error: odd");
});
