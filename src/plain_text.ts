/**
 * Text of the repository on its way to a person or a model: data, with nothing in it
 * that a terminal obeys or that hides what it says.
 *
 * @module
 */

// Control characters but tab and line feed; invisible ones; marks that turn the direction of
// writing; tags, which no font shows and models read.
const HIDDEN =
  // deno-lint-ignore no-control-regex -- they are what is removed
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

/** The text without hidden characters. */
export function withoutHidden(text: string): string {
  return text.replace(HIDDEN, "");
}

/**
 * The text with hidden characters as escapes, such as `\u202e`: names and paths stay what they
 * are. JSON says the same as before.
 */
export function withEscapes(text: string): string {
  return text.replace(HIDDEN, (hidden) =>
    Array.from(
      { length: hidden.length },
      (_, at) => `\\u${hidden.charCodeAt(at).toString(16).padStart(4, "0")}`,
    ).join(""));
}

/**
 * The text without hidden characters, cut to a length.
 *
 * @param most The most UTF-16 units that are kept.
 */
export function plainText(text: string, most: number): string {
  const plain = withoutHidden(text.slice(0, most * 2));
  return plain.length > most ? `${plain.slice(0, most - 1).trimEnd()}…` : plain;
}

/** The text as one line, such as a title; see {@linkcode plainText}. */
export function plainLine(text: string, most: number): string {
  return plainText(text.slice(0, most * 2).replace(/\s+/g, " ").trim(), most);
}
