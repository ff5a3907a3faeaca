/**
 * Ids and versions as words of a text.
 *
 * @module
 */

/** An id such as WORK-001, or a version such as v1.0.0: not a part of a longer one. */
const NAME = /(?<![\w-])(?:[A-Za-z]+-\d+(?!\w|[-.]\d)|v?\d+(?:\.\d+)+(?![\w-]|\.\d))/g;

/** What looks like an id or a version, each once. */
export function namesIn(text: string): string[] {
  return [...new Set(text.match(NAME))];
}

/** Whether a text names an id, in code too. */
export function isNamedIn(text: string, id: string): boolean {
  return wordOf(id).test(text);
}

/** A text that names another id in place of one: as a whole word, in tags and code too. */
export function withName(text: string, id: string, to: string): string {
  return text.replace(wordOf(id), () => to);
}

/** Underscores around an id are emphasis. */
function wordOf(id: string): RegExp {
  const word = RegExp.escape(id);
  return new RegExp(String.raw`(?<![A-Za-z0-9-]|\w_)${word}(?![A-Za-z0-9]|_\w|[-.]\d)`, "g");
}
