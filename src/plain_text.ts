/**
 * Sanitises project text before it is shown: removes characters that control terminals or hide
 * content.
 */

// Control characters except tab and line feed, invisible and bidirectional characters, and tag
// characters, which fonts do not show but models read.
const HIDDEN =
  // deno-lint-ignore no-control-regex -- they are what is removed
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

/** Removes hidden characters. */
export function withoutHidden(text: string): string {
  return text.replace(HIDDEN, "");
}

/**
 * Escapes hidden characters, such as `\u202e`, so that names and paths keep their identity; valid
 * in JSON strings.
 */
export function withEscapes(text: string): string {
  return text.replace(HIDDEN, (hidden) =>
    Array.from(
      { length: hidden.length },
      (_, at) => `\\u${hidden.charCodeAt(at).toString(16).padStart(4, "0")}`,
    ).join(""));
}

/** Escapes a name that others chose, such as a branch's, as one line. */
export function plainName(name: string): string {
  return withEscapes(name).replace(/[\t\n]/g, (char) => char === "\t" ? "\\t" : "\\n");
}

/**
 * Removes hidden characters and shortens the text.
 *
 * @param most The maximum length in UTF-16 units.
 */
export function plainText(text: string, most: number): string {
  const plain = withoutHidden(text.slice(0, most * 2));
  return plain.length > most ? `${plain.slice(0, most - 1).trimEnd()}…` : plain;
}

/** Like {@linkcode plainText}, on one line. */
export function plainLine(text: string, most: number): string {
  return plainText(text.slice(0, most * 2).replace(/\s+/g, " ").trim(), most);
}
