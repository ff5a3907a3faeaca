/** `REGEXP` in statements: JavaScript's regular expressions. */

import { messageOf } from "../errors.ts";

/** The longest pattern and text, in characters. */
const [MOST_PATTERN, MOST_TEXT] = [1000, 1_000_000];

/** The pattern that is being matched, for the error if it is stopped; and the last one. */
const matching: {
  source?: string | undefined;
  last?: { readonly source: string; readonly pattern: RegExp };
} = {};

/** Returns the pattern that was stopped in the middle, if any. */
export function stoppedPattern(): string | undefined {
  const { source } = matching;
  matching.source = undefined;
  return source;
}

/** `text REGEXP pattern`; null if one of them is null. `(?i)` at the start ignores case. */
export function regexpFunction(_context: unknown, pattern: unknown, text: unknown): number | null {
  if (pattern === null || text === null) return null;
  const source = String(pattern);
  if (matching.last?.source !== source) matching.last = { source, pattern: compile(source) };
  const value = String(text);
  if (value.length > MOST_TEXT) {
    throw new Error(`REGEXP reads at most ${MOST_TEXT} characters: use LIKE or GLOB`);
  }
  matching.source = source;
  const matches = matching.last.pattern.test(value);
  matching.source = undefined;
  return matches ? 1 : 0;
}

function compile(source: string): RegExp {
  if (source.length > MOST_PATTERN) {
    throw new Error(`A REGEXP has at most ${MOST_PATTERN} characters`);
  }
  const ignoresCase = source.startsWith("(?i)");
  const body = ignoresCase ? source.slice(4) : source;
  const flags = ignoresCase ? "iu" : "u";
  try {
    return new RegExp(body, flags);
  } catch {
    // Stricter with the flag: "\-" is only valid without it.
    try {
      return new RegExp(body, flags.replace("u", ""));
    } catch (error) {
      throw new Error(`REGEXP: ${messageOf(error)}`);
    }
  }
}
