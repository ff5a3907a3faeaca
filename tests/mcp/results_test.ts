import assert from "node:assert/strict";
import { inputRequired } from "@modelcontextprotocol/server";
import { RefraktError } from "../../src/errors.ts";
import { InputNeeded } from "../../src/tools/context.ts";
import {
  errorMessage,
  replyOf,
  requestError,
  resourceError,
  successMessage,
} from "../../src/mcp/results.ts";
import { createResultStore } from "../../src/tools/stored_results.ts";

const ERROR = new RefraktError("NOT_FOUND", "It is not there.", {
  hint: "Look elsewhere.",
  data: { id: "A" },
});

Deno.test("a failed call has its code and hint for those that read the text, the fields or the metadata", () => {
  const { isError, content, errorCode, hint, _meta } = errorMessage(ERROR);
  assert.deepEqual([isError, errorCode, hint], [true, "NOT_FOUND", "Look elsewhere."]);
  assert.deepEqual(content, [{ type: "text", text: "It is not there.\n\nLook elsewhere." }]);
  assert.deepEqual(_meta, { errorCode: "NOT_FOUND", hint: "Look elsewhere.", data: { id: "A" } });
  assert.ok(!("hint" in errorMessage(new RefraktError("CONFLICT", "x"))));
});

Deno.test("a failed read tells what does not exist from bad arguments and from a failure", () => {
  const codes = (["NOT_FOUND", "SPEC_NOT_FOUND", "INVALID_ARGS", "RESOURCE_FAILED"] as const)
    .map((code) => resourceError(new RefraktError(code, "x"), "refrakt://a").code);
  assert.equal(codes[0], codes[1]);
  assert.equal(new Set(codes).size, 3);
  const error = resourceError(ERROR, "refrakt://a");
  assert.match(error.message, /^Failed to read resource: It is not there\. Look elsewhere\.$/);
  assert.deepEqual(error.data, {
    uri: "refrakt://a",
    errorCode: "NOT_FOUND",
    hint: "Look elsewhere.",
  });
});

Deno.test("a refused request carries the code as data, with the hint where there is one", () => {
  const expected = { errorCode: "NOT_FOUND", hint: "Look elsewhere." };
  assert.deepEqual(requestError(ERROR).data, expected);
  assert.deepEqual(requestError(new RefraktError("CONFLICT", "x")).data, { errorCode: "CONFLICT" });
});

Deno.test("a good result has its data beside the text", () => {
  const limits = { budget: 1000, results: createResultStore(1000) };
  assert.deepEqual(successMessage({ a: 1 }, limits).structuredContent, { a: 1 });
  assert.ok(!("isError" in successMessage({ a: 1 }, limits)));
});

Deno.test("a client that cannot answer gets an error, one that can what it is asked", () => {
  const asked = inputRequired({ inputRequests: { roots: { method: "roots/list" } } });
  assert.equal(replyOf(new InputNeeded(asked)), asked);
  assert.throws(() => replyOf(new InputNeeded(new TypeError("Cannot"))), TypeError);
});

Deno.test("an error is bounded, however long what it quotes is", () => {
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
