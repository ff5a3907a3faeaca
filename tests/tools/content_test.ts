import assert from "node:assert/strict";
import { base64, blockProblem, encodeBlock } from "../../src/tools/content.ts";

Deno.test("a block is good when the protocol can send it, else the problem names the field", () => {
  const bytes = new Uint8Array([1, 2]);
  const cases: [block: unknown, problem: string | undefined][] = [
    [{ type: "text", text: "" }, undefined],
    [{ type: "image", data: bytes, mimeType: "image/png" }, undefined],
    [{ type: "audio", data: "AQI=", mimeType: "audio/wav" }, undefined],
    [{ type: "resource", resource: { uri: "a:b", blob: bytes } }, undefined],
    [null, "it is no object"],
    [{ type: "text", text: 1 }, '"text" is no string'],
    [{ type: "image", data: bytes }, '"mimeType" is missing'],
    [
      { type: "image", data: "no base64!", mimeType: "image/png" },
      '"data" is neither bytes nor base64',
    ],
    [{ type: "resource_link", uri: "a:b" }, '"name" is missing'],
    [{ type: "resource", resource: null }, '"resource.uri" is missing'],
    [{ type: "resource", resource: { uri: "a:b" } }, '"resource" has neither "text" nor "blob"'],
    [{ type: "__proto__" }, 'its type is "__proto__"'],
    [{}, "its type is undefined"],
  ];
  for (const [block, problem] of cases) assert.equal(blockProblem(block), problem);
});

Deno.test("bytes become base64 on the way out, and what is base64 stays what it is", () => {
  const bytes = new Uint8Array([0, 255, 16]);
  assert.equal(base64(bytes), "AP8Q");
  assert.equal(base64("AP8Q"), "AP8Q");
  const image = { type: "image", data: bytes, mimeType: "image/png" } as const;
  assert.deepEqual(encodeBlock(image), { ...image, data: "AP8Q" });
  const embedded = {
    type: "resource" as const,
    resource: { uri: "a:b", blob: bytes },
    _meta: { x: 1 },
  };
  assert.deepEqual(encodeBlock(embedded), {
    type: "resource",
    resource: { uri: "a:b", blob: "AP8Q" },
    _meta: { x: 1 },
  });
  assert.equal(embedded.resource.blob, bytes, "the plugin's own block is left alone");
});
