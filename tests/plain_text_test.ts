import assert from "node:assert/strict";
import { meantBy, shortLine, shortText, shown, shownData, withBytesOf } from "../src/plain_text.ts";

/** What Unicode calls hidden, tested without context. */
const HIDDEN = /^[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]$/u;

Deno.test("every hidden character of Unicode is shown as an escape, and no other", () => {
  for (let code = 0; code <= 0x10ffff; code++) {
    const char = String.fromCodePoint(code);
    const isHidden = HIDDEN.test(char) && char !== "\t" && char !== "\n";
    // Also in a text that is not ASCII, which takes another way.
    for (const around of ["a.", "é."]) {
      const text = shown(`${around}${char}.`);
      assert.equal(text === `${around}${char}.`, !isHidden, code.toString(16));
      assert.ok(!isHidden || !text.includes(char), code.toString(16));
    }
  }
});

Deno.test("shown() keeps what readers see or need", () => {
  const kept = {
    Persian: "می‌خواهم نمی‌دانم",
    Hindi: "क्‍ष क्‌ष हिन्दी",
    Sinhala: "ශ්‍රී",
    Arabic: "السَّلَامُ عَلَيْكُمْ",
    Hebrew: "שָׁלוֹם",
    Thai: "ภาษาไทยที่นี่",
    Korean: "한국어 한국어",
    Mongolian: "ᠮᠣᠩᠭᠣᠯ ᠠ᠋",
    families: "👨‍👩‍👧‍👦 👩🏽‍💻 🏳️‍🌈 ❤️‍🔥 🏴‍☠️",
    styles: "☀️ ©️ 1️⃣ #️⃣",
    regions: "🇩🇪 🇮🇳 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🏴󠁧󠁢󠁳󠁣󠁴󠁿 🏴󠁧󠁢󠁷󠁬󠁳󠁿",
    lines: "a\tb\nc\r\nd",
  };
  for (const [name, text] of Object.entries(kept)) assert.equal(shown(text), text, name);
});

Deno.test("shown() escapes what is kept elsewhere, where it is not needed", () => {
  const cases: [string, string][] = [
    ["a\u200d\u200cb", String.raw`a\u200d\u200cb`],
    ["\u200cب ب\u200d", String.raw`\u200cب ب\u200d`],
    ["ㅤ\u200dㅤ", String.raw`\u3164\u200d\u3164`],
    ["a\ufe0f 1\ufe0f ☀\ufe0f\ufe0f ☀\ufe0e", String.raw`a\ufe0f 1\ufe0f ☀️\ufe0f ☀\ufe0e`],
    ["a᠋", String.raw`a\u180b`],
    ["🏴\u{e0064}\u{e0065}\u{e007f}", String.raw`🏴\udb40\udc64\udb40\udc65\udb40\udc7f`],
    ["🏴󠁧󠁢󠁥󠁮󠁧󠁿\u{e0041}", String.raw`🏴󠁧󠁢󠁥󠁮󠁧󠁿\udb40\udc41`],
    ["a\rb \ud83d", String.raw`a\u000db \ud83d`],
    ["葛\u{e0100}", String.raw`葛\udb40\udd00`],
  ];
  for (const [text, wanted] of cases) {
    assert.equal(shown(text), wanted);
    assert.equal(shown(wanted), wanted, "twice is once");
  }
});

Deno.test("shownData() shows texts and keys, and copies only what it changes", () => {
  const plain = { a: ["é", 1, null, { b: true }] };
  assert.equal(shownData(plain), plain);
  const data = { "k\u200b": [{ x: "\u001b[2J", y: "\ud83d" }], z: 1 };
  assert.deepEqual(shownData(data), {
    [String.raw`k\u200b`]: [{ x: String.raw`\u001b[2J`, y: String.raw`\ud83d` }],
    z: 1,
  });
});

Deno.test("lines that come back as they were shown keep their bytes", () => {
  const [hidden, literal] = ["x\u200b", String.raw`x\u200b`];
  const cases: [before: string, after: string, wanted: string][] = [
    ["plain", literal, literal],
    [hidden, literal, hidden],
    [`a\n${hidden}\nb`, `new\na\n${literal}\nb\nend`, `new\na\n${hidden}\nb\nend`],
    [`${hidden}\na\nb`, `b\na\n${literal}`, `b\na\n${hidden}`],
    // A literal escape is never turned into the character.
    [literal, literal, literal],
    [`${hidden}\nm\n${literal}`, `${literal}\nm\n${literal}`, `${hidden}\nm\n${literal}`],
    [`${hidden}\na\nb\n${literal}`, `b\n${literal}\na`, `b\n${literal}\na`],
    [hidden, `${literal} and more`, `${literal} and more`],
    [hidden, `${literal}\n${literal}`, `${hidden}\n${literal}`],
  ];
  for (const [before, after, wanted] of cases) assert.equal(withBytesOf(before, after), wanted);
  const many = Array.from({ length: 40_000 }, (_, at) => `${at % 7}\u200b`);
  const back = [...many.slice(1).map(shown), "new"].join("\n");
  assert.ok(withBytesOf(many.join("\n"), back).startsWith("1\u200b\n"));
});

Deno.test("meantBy() prefers the exact text to one that was shown so", () => {
  const [hidden, literal] = ["v1\u200b", String.raw`v1\u200b`];
  assert.equal(meantBy(literal, [hidden, literal]), literal);
  assert.equal(meantBy(literal, [hidden]), hidden);
  assert.equal(meantBy(hidden, [literal]), undefined);
});

Deno.test("shortText() and shortLine() cut, never within a character", () => {
  assert.equal(shortText("x".repeat(50), 10), `${"x".repeat(9)}…`);
  assert.equal(shortText("x".repeat(8) + "🎉🎉", 10), `${"x".repeat(8)}…`);
  assert.equal(shortLine("  a\n b\t c  ", 20), "a b c");
});
