import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { pathText } from "../../src/sandbox/path_text.ts";

Deno.test("a path is the same as a text, as bytes and as the URL of a file", () => {
  for (const path of ["/a b/c.md", Buffer.from("/a b/c.md"), new URL("file:///a%20b/c.md")]) {
    assert.equal(pathText(path), "/a b/c.md");
  }
});
