/**
 * Shows hidden characters as escapes such as `\u200b`. Texts are kept as they are; escapes appear
 * in messages to clients, on the terminal and in logs. Texts that come back are compared in that
 * form, and their escapes are never written as hidden characters. Our sentences quote texts from
 * the repository.
 */

import { RefraktError } from "./errors.ts";

/** Default-ignorable code points, format characters, controls, line separators, empty Braille. */
const INVISIBLE = String.raw`[\p{DI}\p{Cf}\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u2800]`;

/** The characters that no new name contains. */
const NOT_IN_NAMES = new RegExp(INVISIBLE, "gv");

/** Letters and marks of scripts whose letters join, where a ZWNJ separates them. */
const JOINING = `[[${
  ["Adlm", "Arab", "Mand", "Mong", "Nkoo", "Rohg", "Syrc"]
    .map((script) => String.raw`\p{scx=${script}}`).join("")
}]&&[[\\p{L}\\p{M}]--\\p{DI}]]`;

/** The viramas of scripts in which a joiner selects the form of a conjunct. */
const VIRAMA = String
  .raw`[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca\u1039\u103a\u17d2]`;

/**
 * Invisible characters, except those that readers see or need: tabs and line ends; single joiners
 * where a script or an emoji needs them; the emoji style of an emoji or keycap; the variants of
 * Mongolian letters; the flags of England, Scotland and Wales, the only sequences of tag characters
 * that Unicode recommends.
 */
export const HIDDEN: RegExp = new RegExp(
  [
    String.raw`[${INVISIBLE}--[\t\n]](?<!`,
    [
      String.raw`\r(?=\n)`,
      String.raw`${JOINING}\u200c(?=${JOINING})`,
      String.raw`[\p{L}\p{M}]${VIRAMA}(?:\u200d|\u200c(?=\p{L}))|\p{L}\u200d(?=${VIRAMA})`,
      String.raw`\p{ExtPict}[\p{EMod}\ufe0f]?\u200d(?=\p{ExtPict})`,
      String.raw`\p{ExtPict}\ufe0f|[0-9#*]\ufe0f(?=\u20e3)`,
      String.raw`[\p{Script=Mongolian}&&\p{L}][\u180b-\u180d\u180f]`,
      String.raw`(?=\p{RGI_Emoji_Tag_Sequence})\u{1f3f4}[\u{e0061}-\u{e007f}]{1,6}`,
    ].join("|"),
    ")",
  ].join(""),
  "gv",
);

/** A fast test: most texts match, and contain nothing hidden. */
const VISIBLE = /^[\t\n -~\xa1-\xac\xae-\u02ff\u2010-\u2027\u2190-\u27bf]*$/;

/** The text with hidden characters as escapes, which are valid in JSON strings. */
export function withEscapes(text: string): string {
  return VISIBLE.test(text) ? text : text.replace(HIDDEN, (hidden) => escapesOf(hidden));
}

function escapesOf(hidden: string): string {
  const units = Array.from({ length: hidden.length }, (_, at) => hidden.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}

/** Turns escapes back into characters, to search for the original texts. */
export function unshown(text: string): string {
  return text.replace(/(?:\\u[0-9a-f]{4})+/g, (escapes) => {
    const hidden: string = JSON.parse(`"${escapes}"`);
    return withEscapes(hidden) === escapes ? hidden : escapes;
  });
}

export function hasHidden(text: string): boolean {
  return !VISIBLE.test(text) && text.search(HIDDEN) >= 0;
}

/** Whether a returned text is the original one, with or without escapes. */
export function isShownAs(returned: string, text: string): boolean {
  return returned === text || hasHidden(text) && withEscapes(returned) === withEscapes(text);
}

/** The candidate that equals a text, or else the one that is shown like it. */
export function meantBy(wanted: string, candidates: Iterable<string>): string | undefined {
  const all = [...candidates];
  if (all.includes(wanted)) return wanted;
  if (!wanted.includes("\\") && !hasHidden(wanted)) return undefined;
  return all.find((candidate) => isShownAs(wanted, candidate));
}

/**
 * Rejects hidden characters in a new title or heading.
 *
 * @param subject The subject of the message, such as `"The title"`.
 * @throws {RefraktError} `INVALID_ARGS` with the text as shown.
 */
export function requireVisible(subject: string, text: string): void {
  if (hasHidden(text)) throw hiddenError(subject, quoted(text));
}

/**
 * Rejects line ends and all invisible characters, joiners included, in the new name of a file,
 * person, tag, milestone or entity: two names that look the same are the same.
 *
 * @param subject The subject of the message, such as `"An id"`.
 * @throws {RefraktError} `INVALID_ARGS` with the name, its invisible characters as escapes.
 */
export function requireNewName(subject: string, name: string): void {
  if (name.search(NOT_IN_NAMES) < 0) return;
  throw hiddenError(subject, quotedName(name).replace(NOT_IN_NAMES, (hidden) => escapesOf(hidden)));
}

function hiddenError(subject: string, text: string): RefraktError {
  const message = `${subject} must not contain hidden characters: ${text}`;
  return new RefraktError("INVALID_ARGS", message, {
    hint: "Write it without the characters that are shown as escapes.",
  });
}

/** The most characters of a text and of a name within a sentence. */
const [MOST_QUOTED, NAME_LENGTH] = [40, 200];

/**
 * Quotes free text for a sentence of ours, as JSON cut at 40 characters: titles, messages, and the
 * names of people, tags, milestones and statuses. The repository may have written it.
 */
export function quoted(text: string): string {
  return withEscapes(JSON.stringify(shortText(text, MOST_QUOTED)));
}

/** An id, path or flag for a sentence of ours: as it is if it is one word, else quoted. */
export function word(text: string): string {
  return isWord(text) ? text : quotedName(text);
}

/** A status or another value for a sentence of ours: as it is if it is one word, else quoted. */
export function wordOrText(text: string): string {
  return isWord(text) ? text : quoted(text);
}

function isWord(text: string): boolean {
  return text.length < NAME_LENGTH && /^[-./~@]*\w[\w./=~-]*$/.test(text);
}

/** Quotes an id, path, branch or link for a sentence of ours, so that it can be given back. */
export function quotedName(name: string): string {
  return withEscapes(JSON.stringify(shortText(name, NAME_LENGTH)));
}

/** A path or link that other words of ours follow, as linters list them: quoted if it has spaces. */
export function quotedIfSpaced(path: string): string {
  return /\s/.test(path) ? quotedName(path) : path;
}

/** A count above its limit for a sentence of ours, such as `12,345 fences, at most 2,000`. */
export function countAndLimit(count: number, things: string, limit: number): string {
  // A formatter of the runtime takes half a millisecond for each number.
  const inGroups = (value: number) => String(value).replace(/\B(?=(?:\d{3})+$)/g, ",");
  return `${inGroups(count)} ${things}, at most ${inGroups(limit)}`;
}

/** JSON data with escapes in all texts and keys; the same object if nothing is hidden. */
export function shownData<Value>(value: Value): Value;
export function shownData(value: unknown): unknown {
  const json = JSON.stringify(value);
  // JSON escapes controls itself.
  const isPlain = json === undefined || !/\\[ubfr]/.test(json) && !hasHidden(json);
  return isPlain ? value : shownParts(value);
}

function shownParts(value: unknown): unknown {
  if (typeof value === "string") return withEscapes(value);
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value;
  if (Array.isArray(value)) return value.map(shownParts);
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [withEscapes(key), shownParts(part)]),
  );
}

/**
 * Restores the original bytes of the unchanged lines in a text that was shown with escapes and then
 * changed.
 *
 * @param before The text that was shown.
 * @param after The changed text.
 */
export function withBytesOf(before: string, after: string): string {
  if (!hasHidden(before)) return after;
  const [old, lines] = [before.split("\n"), after.split("\n")];
  const isKept = (from: number, to: number) => withEscapes(old[from]!) === withEscapes(lines[to]!);
  let [from, to] = [0, 0];
  while (from < old.length && to < lines.length && isKept(from, to)) lines[to++] = old[from++]!;
  let [last, end] = [old.length - 1, lines.length - 1];
  while (last >= from && end >= to && isKept(last, end)) lines[end--] = old[last--]!;
  // Between the first and the last change, lines may have moved; exact ones come first.
  const rest = Map.groupBy(old.slice(from, last + 1), withEscapes);
  for (; to <= end; to++) {
    const same = rest.get(withEscapes(lines[to]!)) ?? [];
    const [line = lines[to]!] = same.splice(Math.max(0, same.indexOf(lines[to]!)), 1);
    lines[to] = line;
  }
  return lines.join("\n");
}

/** Code units that belong to the character before: marks, modifiers, joiners, low surrogates. */
const CONTINUATION = /^[\p{M}\p{Emoji_Modifier}\p{Cs}\u200d]/u;

/** A longer run of marks, or of joined emoji, is cut in its middle. */
const LONGEST_GRAPHEME = 32;

/** Whether an offset is within a character. */
const isWithin = (text: string, at: number) =>
  at > 0 && (text[at - 1] === "\u200d" || CONTINUATION.test(text.slice(at, at + 2)));

/** The text from the first whole character at an offset or after it. */
export function textFrom(text: string, start: number): string {
  let at = start;
  while (at < start + LONGEST_GRAPHEME && isWithin(text, at)) at++;
  return text.slice(isWithin(text, at) ? start : at).replace(/^[\udc00-\udfff]/, "");
}

/** Shortens a text to at most this many UTF-16 units, without cutting a character in two. */
export function shortText(text: string, most: number): string {
  if (text.length <= most) return text;
  let end = most - 1;
  while (end > most - LONGEST_GRAPHEME && isWithin(text, end)) end--;
  const cut = end > 0 && !isWithin(text, end) ? end : most - 1;
  return `${text.slice(0, cut).replace(/[\ud800-\udbff]$/, "").trimEnd()}…`;
}

/**
 * A name for files from a text: its letters and digits of all scripts in lower case, with hyphens in
 * place of everything else, cut between two words; empty without any.
 */
export function slugOf(text: string, most: number): string {
  const slug = text.slice(0, 4 * most).replace(/\p{DI}/gu, "").normalize("NFC").toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "-").replace(/^-|-$/g, "");
  if (slug.length <= most) return slug;
  const end = slug.lastIndexOf("-", most);
  return slug.slice(0, end > 0 ? end : most).replace(/[\ud800-\udbff]$/, "");
}

/** Like {@linkcode shortText}, on one line. */
export function shortLine(text: string, most: number): string {
  return shortText(shortText(text, most * 2).replace(/\s+/g, " ").trim(), most);
}
