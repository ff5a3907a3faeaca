/**
 * Where a text stops being JSON. V8 says it in its messages alone, of some faults, and in a form
 * of its own.
 *
 * @module
 */

/** What V8 says of a text that is no JSON, as of V8 13; a test has it say each sentence. */
const V8_MESSAGES = {
  /** It says the line and the column itself. */
  withPlace: /\(line \d+ column \d+\)$/,
  /** The text ends too early. */
  ended: /^Unexpected end of JSON input$/,
};

/**
 * The message of a failed `JSON.parse` with the line and the column in it.
 *
 * @param message What V8 said.
 * @param text The text that is no JSON.
 */
export function withPosition(message: string, text: string): string {
  if (V8_MESSAGES.withPlace.test(message)) return message;
  const position = V8_MESSAGES.ended.test(message) ? text.length : misplacedToken(text);
  if (position === undefined) return message;
  const before = text.slice(0, position).split("\n");
  return `${message} (line ${before.length}, column ${before.at(-1)!.length + 1})`;
}

/** A token of JSON, with the space before it. */
const TOKEN =
  /\s*(?:[{}[\],:]|"(?:[^"\\\n]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/y;

/** Where text stops being JSON: V8 does not say so of an unexpected token. */
function misplacedToken(text: string): number | undefined {
  let [previous, end] = ["", 0];
  for (;;) {
    TOKEN.lastIndex = end;
    const [token] = TOKEN.exec(text) ?? [];
    if (token === undefined) {
      const start = end + text.slice(end).search(/\S|$/);
      return start < text.length ? start : undefined;
    }
    // A value is missing: after a colon, a comma or the beginning of a list.
    const ends = /[},:]$/.test(token) ? /[:,[]$/ : /\]$/.test(token) ? /[:,]$/ : undefined;
    if (ends?.test(previous)) return TOKEN.lastIndex - 1;
    previous = token;
    end = TOKEN.lastIndex;
  }
}
