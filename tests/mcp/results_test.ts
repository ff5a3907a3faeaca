import assert from "node:assert/strict";
import { RefraktError } from "../../src/errors.ts";
import { errorMessage, requestError, resourceError } from "../../src/mcp/results.ts";

Deno.test("errors are bounded, even if they quote long input", () => {
  const long = "x".repeat(9_000_000);
  const error = new RefraktError("NOT_FOUND", long, { hint: long, data: { id: long } });
  const answers = [
    errorMessage(error),
    resourceError(error, long).data,
    resourceError(error, long).message,
    requestError(error).data,
    requestError(error).message,
  ];
  for (const answer of answers) assert.ok(JSON.stringify(answer).length < 50_000);
});
