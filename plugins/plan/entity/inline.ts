/** Finds tags, code and comments within a block of text. */

import type { Span } from "./model.ts";

/** A tag or comment. Its end is -1 if it is not closed. */
interface Mark extends Span {
  readonly kind: "tag" | "comment";
}

/**
 * Returns the tags and comments of a text in order, except in code and after a backslash.
 *
 * @param to The end of the block that begins at `from`; a tag or comment may end after it.
 */
export function* marksIn(text: string, from: number, to: number): Generator<Mark> {
  for (let at = from; at < to; at++) {
    const char = text[at];
    if (char === "\\") at++;
    else if (char === "`") at = codeEnd(text, at, to) - 1;
    else if (char === "<" && text.startsWith("<!--", at)) {
      const close = text.indexOf("-->", at + 4);
      yield { kind: "comment", start: at, end: close === -1 ? -1 : close + 3 };
      if (close === -1) at += 3;
      else at = close + 2;
    } else if (char === "{" && text[at + 1] === "%") {
      const end = tagEnd(text, at);
      yield { kind: "tag", start: at, end };
      at = end === -1 ? at + 1 : end - 1;
    }
  }
}

/**
 * Returns the end of the code that a run of backquotes opens, or of the run if nothing closes it.
 */
function codeEnd(text: string, start: number, to: number): number {
  let after = start;
  while (text[after] === "`") after++;
  const length = after - start;
  for (let at = text.indexOf("`", after); at !== -1 && at < to; at = text.indexOf("`", at)) {
    const open = at;
    while (text[at] === "`") at++;
    if (at - open === length) return at;
  }
  return after;
}

/** Returns the offset after a tag's `%}`, as Markdoc finds it, or -1. */
export function tagEnd(text: string, start: number): number {
  let isQuoted = false;
  for (let at = start; at < text.length; at++) {
    const char = text[at];
    if (isQuoted) {
      if (char === "\\") at++;
      else if (char === '"') isQuoted = false;
    } else if (char === '"') isQuoted = true;
    else if (char === "%" && text[at + 1] === "}") return at + 2;
  }
  return -1;
}
