import assert from "node:assert/strict";
import { isContentResult, isTextResult, withContent, withText } from "../../src/tools/result.ts";

Deno.test("a text with data is told from data that looks like it", () => {
  const result = withText("Done.", { id: 1 }, "said");
  assert.deepEqual([result.text, result.data, result.field], ["Done.", { id: 1 }, "said"]);
  assert.ok(isTextResult(result));
  assert.ok(!isTextResult({ text: "Done.", data: { id: 1 } }));
});

Deno.test("content blocks are kept in order, and malformed ones refused", () => {
  const blocks = [
    { type: "text" as const, text: "a" },
    { type: "image" as const, data: new Uint8Array([1]), mimeType: "image/png" },
  ];
  const result = withContent(blocks, { width: 1 });
  assert.ok(isContentResult(result));
  assert.deepEqual(result.content.map(({ type }) => type), ["text", "image"]);
  assert.throws(() => withContent([{ type: "text" } as never]), { code: "TOOL_FAILED" });
});
