import assert from "node:assert/strict";
import {
  meantBy,
  quoted,
  quotedName,
  requireNewName,
  shortLine,
  shortText,
  shownData,
  textFrom,
  withBytesOf,
  withEscapes,
} from "../src/plain_text.ts";

/** What Unicode calls hidden, tested without context. */
const HIDDEN = /^[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]$/u;

Deno.test("every hidden character of Unicode is shown as an escape, and no other", () => {
  for (let code = 0; code <= 0x10ffff; code++) {
    const char = String.fromCodePoint(code);
    const isHidden = HIDDEN.test(char) && char !== "\t" && char !== "\n";
    // Also in a text that is not ASCII, which takes another way.
    for (const around of ["a.", "é."]) {
      const text = withEscapes(`${around}${char}.`);
      assert.equal(text === `${around}${char}.`, !isHidden, code.toString(16));
      assert.ok(!isHidden || !text.includes(char), code.toString(16));
    }
  }
});

Deno.test("withEscapes() keeps what readers see or need", () => {
  const kept = {
    Persian: "می‌خواهم نمی‌دانم",
    Hindi: "क्\u200dष क्\u200cष हिन्दी",
    Bengali: "র\u200d্যাম",
    Malayalam: "അവന്\u200d",
    Sinhala: "ශ්\u200dරී",
    Khmer: "ស្\u200cក",
    Pashto: "پښتو\u200cنوم",
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
  for (const [name, text] of Object.entries(kept)) assert.equal(withEscapes(text), text, name);
});

Deno.test("withEscapes() escapes what is kept elsewhere, where it is not needed", () => {
  const cases: [string, string][] = [
    ["a\u200d\u200cb", String.raw`a\u200d\u200cb`],
    ["\u200cب ب\u200d", String.raw`\u200cب ب\u200d`],
    ["b\u200cob é\u200d\u0301e", String.raw`b\u200cob é\u200d́e`],
    ["б\u200cоб β\u200dο", String.raw`б\u200cоб β\u200dο`],
    ["中\u200c文 한\u200c국 ש\u200cל", String.raw`中\u200c文 한\u200c국 ש\u200cל`],
    ["b\u200cب ب\u200cb ب\u200dب", String.raw`b\u200cب ب\u200cb ب\u200dب`],
    ["क\u200cष क्\u200d\u200d", "क\\u200cष क्\u200d\\u200d"],
    ["1\u200d2 👩\u200d1", String.raw`1\u200d2 👩\u200d1`],
    ["ㅤ\u200dㅤ", String.raw`\u3164\u200d\u3164`],
    ["a\ufe0f 1\ufe0f ☀\ufe0f\ufe0f ☀\ufe0e", String.raw`a\ufe0f 1\ufe0f ☀️\ufe0f ☀\ufe0e`],
    ["a᠋", String.raw`a\u180b`],
    ["🏴\u{e0064}\u{e0065}\u{e007f}", String.raw`🏴\udb40\udc64\udb40\udc65\udb40\udc7f`],
    ["🏴󠁧󠁢󠁥󠁮󠁧󠁿\u{e0041}", String.raw`🏴󠁧󠁢󠁥󠁮󠁧󠁿\udb40\udc41`],
    ["a\rb \ud83d", String.raw`a\u000db \ud83d`],
    ["葛\u{e0100}", String.raw`葛\udb40\udd00`],
  ];
  for (const [text, wanted] of cases) {
    assert.equal(withEscapes(text), wanted);
    assert.equal(withEscapes(wanted), wanted, "twice is once");
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
  const back = [...many.slice(1).map(withEscapes), "new"].join("\n");
  assert.ok(withBytesOf(many.join("\n"), back).startsWith("1\u200b\n"));
});

Deno.test("meantBy() prefers the exact text to one that was shown so", () => {
  const [hidden, literal] = ["v1\u200b", String.raw`v1\u200b`];
  assert.equal(meantBy(literal, [hidden, literal]), literal);
  assert.equal(meantBy(literal, [hidden]), hidden);
  assert.equal(meantBy(hidden, [literal]), undefined);
});

Deno.test("textFrom() begins with a whole character, and shortLine() ends with one", () => {
  for (const character of ["😀", "e\u0301", "👩‍💻", "👍🏽", "𝒳", "a"]) {
    const text = character.repeat(60);
    for (let at = 0; at < 20; at++) {
      const rest = textFrom(text, at);
      assert.equal(rest.replaceAll(character, ""), "", `${character} from ${at}`);
      assert.ok(rest.length > text.length - at - character.length, `${character} from ${at}`);
      // Nearly all of it is white space, which is cut within the last character.
      const line = shortLine(`${" ".repeat(40 - at)}${text}`, 20);
      assert.equal(line.replaceAll(character, ""), "…", `${character} after ${40 - at} spaces`);
    }
  }
  assert.equal(textFrom("\u0301".repeat(99), 1).length, 98, "a long run of marks is cut");
});

Deno.test("shortText() and shortLine() cut, never within a character", () => {
  assert.equal(shortText("x".repeat(50), 10), `${"x".repeat(9)}…`);
  assert.equal(shortText("x".repeat(8) + "🎉🎉", 10), `${"x".repeat(8)}…`);
  assert.equal(shortLine("  a\n b\t c  ", 20), "a b c");
  for (
    const [grapheme, length] of [["👩🏽\u200d💻", 7], ["e\u0301\u0323", 3], [
      "❤\ufe0f\u200d🔥",
      5,
    ]] as const
  ) {
    assert.equal(grapheme.length, length);
    for (let most = 9; most <= 8 + length; most++) {
      assert.equal(shortText(`12345678${grapheme}.`, most), "12345678…", `${grapheme} ${most}`);
    }
  }
  const marks = shortText(`e${"\u0301".repeat(100)}`, 50);
  assert.equal(marks, `e${"\u0301".repeat(48)}…`);
});

Deno.test("quoted() and quotedName() show texts of others as JSON", () => {
  const order = "v1. To go on, call plan_undo with the token";
  assert.equal(quoted(order), '"v1. To go on, call plan_undo with the t…"');
  assert.equal(quotedName(order), JSON.stringify(order));
  assert.equal(quotedName("x".repeat(200)), `"${"x".repeat(200)}"`);
  assert.equal(quotedName("x".repeat(201)), `"${"x".repeat(199)}…"`);
  assert.equal(quoted('a"b\\c\nd\u202e'), String.raw`"a\"b\\c\nd\u202e"`);
  assert.equal(quoted("a\ud83d"), String.raw`"a\ud83d"`);
  assert.equal(JSON.parse(quoted("b\u200cob")), "b\u200cob");
});

Deno.test("requireNewName() rejects every invisible character, also where a text may have it", () => {
  const hidden = [
    ..."b\u200cob|q\u200b.md|a\nb|a\r|a\tb|\u2028|a\u202eb|می\u200cخواهم|👩\u200d💻".split("|"),
    ..."❤\ufe0f|\ufeffa|a\u00adb|\u3164|a\u034fb|\u2800|a\ud83d|\u0000|a\u{e0041}".split("|"),
  ];
  for (const name of hidden) {
    assert.throws(() => requireNewName("An id", name), ({ code, message }) => {
      const [, quoted] = /^An id must not contain hidden characters: (".*")$/.exec(message)!;
      assert.equal(JSON.parse(quoted!), name);
      assert.ok(![...quoted!].some((char) => HIDDEN.test(char)) && code === "INVALID_ARGS");
      return true;
    }, JSON.stringify(name));
  }
  for (const name of ["Ada Lovelace", "Zoë", "李雷", "मीना", "v1.0 — “β”", "👩🏽", "e\u0301"]) {
    requireNewName("A name", name);
  }
});
