import assert from "node:assert/strict";
import { RefraktError } from "../../src/errors.ts";
import {
  decodeFromWorker,
  encodeMessage,
  errorFromData,
  errorToData,
  LONGEST_MESSAGE,
} from "../../src/sandbox/messages.ts";

Deno.test("a message is what it was on the other side, and bytes are base64", () => {
  const value = { items: [1, "ä", null], data: new Uint8Array([1, 2, 3]) };
  const message = decodeFromWorker(encodeMessage({ type: "result", id: 1, value }));
  assert.deepEqual(message, {
    type: "result",
    id: 1,
    value: { items: [1, "ä", null], data: "AQID" },
  });
});

Deno.test("what is no message is none, whoever sends it", () => {
  for (
    const sent of [
      undefined,
      null,
      7,
      {},
      { type: "result", id: 1 },
      "",
      "no JSON",
      "null",
      "[]",
      "{}",
      '{"type":"result"}',
      '{"type":"result","id":"1"}',
      '{"type":"toString","id":1}',
      '{"type":"__proto__","id":1}',
      '{"type":"constructor","id":1}',
      '{"type":"call","id":1}',
      '{"type":"result","id":1}'.padEnd(LONGEST_MESSAGE + 1),
    ]
  ) {
    assert.equal(decodeFromWorker(sent), undefined, String(sent).slice(0, 60));
  }
});

Deno.test("the fields of a message are those that it may have, of the kind that they must be", () => {
  const decode = (message: unknown) => decodeFromWorker(JSON.stringify(message));
  assert.deepEqual(decode({ type: "progress", id: 1, progress: "x", total: "y", extra: 1 }), {
    type: "progress",
    id: 1,
    progress: 0,
  });
  assert.deepEqual(decode({ type: "log", id: 1, level: "fatal", message: 7, data: [] }), {
    type: "log",
    id: 1,
    level: "debug",
    message: "7",
  });
  assert.deepEqual(decode({ type: "error", id: 1, message: null, code: 7 }), {
    type: "error",
    id: 1,
    message: "It failed",
  });
  const polluted = decode(JSON.parse('{"type":"result","id":1,"value":{"__proto__":{"a":1}}}'));
  assert.equal((polluted as { value: { a?: unknown } }).value.a, undefined);
});

Deno.test("a message that is too long is refused where it is made", () => {
  assert.throws(
    () => encodeMessage({ type: "result", id: 1, value: "x".repeat(LONGEST_MESSAGE) }),
    { code: "TOOL_FAILED", message: /too long/ },
  );
});

Deno.test("an error keeps its code, its hint and its data on the way, and no other code is taken", () => {
  const error = new RefraktError("NOT_FOUND", "Gone", { hint: "Look.", data: { id: 1 } });
  const back = errorFromData(errorToData(error)) as RefraktError;
  assert.deepEqual([back.code, back.message, back.hint, back.data], [
    "NOT_FOUND",
    "Gone",
    "Look.",
    { id: 1 },
  ]);
  assert.equal(
    (errorFromData(errorToData(error), "Plugin x") as RefraktError).hint,
    'Plugin x says: "Look."',
  );
  for (const code of ["constructor", "MADE_UP"]) {
    assert.ok(!(errorFromData({ code, message: "x" }) instanceof RefraktError), code);
  }
  assert.equal(errorFromData(errorToData("a text")).message, "a text");
});
