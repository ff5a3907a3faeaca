/** Locates JSON syntax errors. V8 reports the position of only some of them. */

/** V8's messages, as of V8 13; a test provokes each. */
const V8_MESSAGES = {
  /** Contains line and column. */
  withPlace: /\(line \d+ column \d+\)$/,
  ended: /^Unexpected end of JSON input$/,
};

/**
 * Adds line and column to the message of a failed `JSON.parse`.
 *
 * @param message V8's message.
 * @param text The invalid JSON.
 */
export function withPosition(message: string, text: string): string {
  if (V8_MESSAGES.withPlace.test(message)) return message;
  const position = V8_MESSAGES.ended.test(message) ? text.length : misplacedToken(text);
  if (position === undefined) return message;
  const before = text.slice(0, position).split("\n");
  return `${message} (line ${before.length}, column ${before.at(-1)!.length + 1})`;
}

/** A JSON token with leading whitespace. */
const TOKEN =
  /\s*(?:[{}[\],:]|"(?:[^"\\\n]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/y;

/** Returns the offset of an unexpected token, which V8 does not report. */
function misplacedToken(text: string): number | undefined {
  let [previous, end] = ["", 0];
  for (;;) {
    TOKEN.lastIndex = end;
    const [token] = TOKEN.exec(text) ?? [];
    if (token === undefined) {
      const start = end + text.slice(end).search(/\S|$/);
      return start < text.length ? start : undefined;
    }
    // A value is missing after a colon, a comma or an opening bracket.
    const ends = /[},:]$/.test(token) ? /[:,[]$/ : /\]$/.test(token) ? /[:,]$/ : undefined;
    if (ends?.test(previous)) return TOKEN.lastIndex - 1;
    previous = token;
    end = TOKEN.lastIndex;
  }
}
