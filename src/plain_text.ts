/**
 * Shows hidden characters as escapes such as `\u200b`. Texts are kept as they are, and shown so where
 * they leave: in messages to clients, on the terminal and in logs. What comes back is compared as
 * shown, and never written as the hidden character.
 */

import { RefraktError } from "./errors.ts";

/**
 * Default-ignorable code points, format characters, controls, lone surrogates, line separators and
 * the empty Braille pattern. Kept, because readers see or need them: tabs and line ends; joiners
 * between letters or emoji, one at a time; the emoji style of an emoji or keycap; the variants of
 * Mongolian letters; the flags of England, Scotland and Wales, the only sequences of tag characters
 * that Unicode recommends.
 */
export const HIDDEN: RegExp = new RegExp(
  [
    String.raw`[[\p{DI}\p{Cf}\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u2800]--[\t\n]](?<!`,
    [
      String.raw`\r(?=\n)`,
      String.raw`[[\p{L}\p{M}]--\p{DI}][\u200c\u200d](?=[[\p{L}\p{M}]--\p{DI}])`,
      String.raw`\p{ExtPict}[\p{EMod}\ufe0f]?\u200d(?=\p{ExtPict})`,
      String.raw`\p{ExtPict}\ufe0f|[0-9#*]\ufe0f(?=\u20e3)`,
      String.raw`[\p{Script=Mongolian}&&\p{L}][\u180b-\u180d\u180f]`,
      String.raw`(?=\p{RGI_Emoji_Tag_Sequence})\u{1f3f4}[\u{e0061}-\u{e007f}]{1,6}`,
    ].join("|"),
    ")",
  ].join(""),
  "gv",
);

/** Most texts, in which nothing can be hidden: a fast test. */
const VISIBLE = /^[\t\n -~\xa1-\xac\xae-\u02ff\u2010-\u2027\u2190-\u27bf]*$/;

/** The text with hidden characters as escapes, which are valid in JSON strings. */
export function shown(text: string): string {
  return VISIBLE.test(text) ? text : text.replace(HIDDEN, (hidden) =>
    Array.from(
      { length: hidden.length },
      (_, at) => `\\u${hidden.charCodeAt(at).toString(16).padStart(4, "0")}`,
    ).join(""));
}

/** Turns what was shown as escapes back, to look for texts as they are. */
export function unshown(text: string): string {
  return text.replace(/(?:\\u[0-9a-f]{4})+/g, (escapes) => {
    const hidden: string = JSON.parse(`"${escapes}"`);
    return shown(hidden) === escapes ? hidden : escapes;
  });
}

/** Whether a text contains hidden characters. */
export function hasHidden(text: string): boolean {
  return !VISIBLE.test(text) && text.search(HIDDEN) >= 0;
}

/** Whether a text with hidden characters has come back, as it is or as it was shown. */
export function isShownAs(given: string, text: string): boolean {
  return given === text || hasHidden(text) && shown(given) === shown(text);
}

/** The candidate that a text is, or else was shown as. */
export function meantBy(given: string, candidates: Iterable<string>): string | undefined {
  const all = [...candidates];
  if (all.includes(given)) return given;
  if (!given.includes("\\") && !hasHidden(given)) return undefined;
  return all.find((one) => isShownAs(given, one));
}

/**
 * Rejects hidden characters in a new name.
 *
 * @param what What the name is of, such as `"title"`.
 * @throws {RefraktError} `INVALID_ARGS` with the name as shown.
 */
export function requireVisible(what: string, name: string): void {
  if (!hasHidden(name)) return;
  const message = `${what} must not contain hidden characters: "${shortLine(name, 80)}"`;
  throw new RefraktError("INVALID_ARGS", message, {
    hint: "Write it without the characters that are shown as escapes.",
  });
}

/** JSON data with all texts and keys as shown; the same object if nothing is hidden. */
export function shownData<Value>(value: Value): Value;
export function shownData(value: unknown): unknown {
  const json = JSON.stringify(value);
  // JSON escapes controls itself.
  const isPlain = json === undefined || !/\\[ubfr]/.test(json) && !hasHidden(json);
  return isPlain ? value : shownParts(value);
}

function shownParts(value: unknown): unknown {
  if (typeof value === "string") return shown(value);
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value;
  if (Array.isArray(value)) return value.map(shownParts);
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [shown(key), shownParts(part)]),
  );
}

/**
 * A text that comes back as it was shown, with other changes: its unchanged lines get the bytes
 * that they had.
 *
 * @param before The text that was shown.
 * @param after What came back.
 */
export function withBytesOf(before: string, after: string): string {
  if (!hasHidden(before)) return after;
  const [old, lines] = [before.split("\n"), after.split("\n")];
  const isKept = (from: number, to: number) => shown(old[from]!) === shown(lines[to]!);
  let [from, to] = [0, 0];
  while (from < old.length && to < lines.length && isKept(from, to)) lines[to++] = old[from++]!;
  let [last, end] = [old.length - 1, lines.length - 1];
  while (last >= from && end >= to && isKept(last, end)) lines[end--] = old[last--]!;
  // Between the first and the last change, lines may have moved; exact ones come first.
  const rest = Map.groupBy(old.slice(from, last + 1), shown);
  for (; to <= end; to++) {
    const same = rest.get(shown(lines[to]!)) ?? [];
    const [line = lines[to]!] = same.splice(Math.max(0, same.indexOf(lines[to]!)), 1);
    lines[to] = line;
  }
  return lines.join("\n");
}

/** Shortens a text to at most this many UTF-16 units. */
export function shortText(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = most - 1;
  const splits = /[\ud800-\udbff]/.test(text[end - 1] ?? "");
  return `${text.slice(0, splits ? end - 1 : end).trimEnd()}…`;
}

/** Like {@linkcode shortText}, on one line. */
export function shortLine(text: string, most: number): string {
  return shortText(text.slice(0, most * 2).replace(/\s+/g, " ").trim(), most);
}

/** A name that others chose, such as a folder's, on one line. */
export function nameLine(name: string): string {
  return name.replace(/[\t\r\n]/g, (char) => JSON.stringify(char).slice(1, -1));
}
