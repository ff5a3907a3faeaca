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

/**
 * The text without hidden characters, cut to a length.
 *
 * @param most The most UTF-16 units that are kept.
 */
export function plainText(text: string, most: number): string {
  const plain = text.slice(0, most * 2).replace(HIDDEN, "");
  return plain.length > most ? `${plain.slice(0, most - 1).trimEnd()}…` : plain;
}

/** The text as one line, such as a title; see {@linkcode plainText}. */
export function plainLine(text: string, most: number): string {
  return plainText(text.slice(0, most * 2).replace(/\s+/g, " ").trim(), most);
}
