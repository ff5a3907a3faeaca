/**
 * Words of a text, as the full-text search compares them: letters and digits, in
 * lower case.
 *
 * @module
 */

/** The longest word that is kept whole. */
const LONGEST = 48;

const LETTER = /[\p{L}\p{N}\p{M}]/u;

/** Whether a UTF-16 unit belongs to a word. */
function isWordUnit(unit: number): boolean {
  if (unit < 128) return unit >= 97 && unit <= 122 || unit >= 48 && unit <= 57;
  // A half of a pair: letters beyond the first plane are rare, and count as such.
  return unit >= 0xd800 && unit <= 0xdfff || LETTER.test(String.fromCharCode(unit));
}

/** The distinct words of a text. */
export function wordsOf(text: string): Set<string> {
  const words = new Set<string>();
  const lower = text.toLowerCase();
  let start = -1;
  for (let at = 0; at <= lower.length; at++) {
    if (at < lower.length && isWordUnit(lower.charCodeAt(at))) {
      if (start === -1) start = at;
    } else if (start !== -1) {
      words.add(lower.slice(start, Math.min(at, start + LONGEST)));
      start = -1;
    }
  }
  return words;
}
