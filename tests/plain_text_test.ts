import assert from "node:assert/strict";
import { plainLine, plainText, withEscapes } from "../src/plain_text.ts";

Deno.test("plainText() keeps visible characters and line breaks", () => {
  const text = "Äpfel, 日本, 🎉 عربي\n\tindented";
  assert.equal(plainText(text, 100), text);
  assert.equal(
    plainText("a\u0007b\u001b[0mc\u202ed\u2066e\u200bf\ufeffg\u{e0061}h\r\n", 100),
    "ab[0mcdefgh\n",
  );
});

Deno.test("plainText() cuts long texts in constant time", () => {
  assert.equal(plainText("x".repeat(50), 10), `${"x".repeat(9)}…`);
  assert.equal(plainText("\u200b".repeat(10_000_000), 10), "");
});

Deno.test("plainLine() returns one line", () => {
  assert.equal(plainLine("  a\n b\t c  ", 20), "a b c");
});

Deno.test("withEscapes() escapes hidden characters and keeps the JSON value", () => {
  const value = { "a\u202eb": "ESC \u001b, DEL \u007f, CSI \u009b, tag \u{e0041}, ä 日本 🎉\n" };
  const json = withEscapes(JSON.stringify(value, null, 2));
  assert.deepEqual(JSON.parse(json), value);
  assert.equal(plainText(json, 1000), json);
  assert.ok(json.includes("ä 日本 🎉") && json.includes("\\udb40\\udc41"));
});
