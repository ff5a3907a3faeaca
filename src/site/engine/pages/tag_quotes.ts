/**
 * Attributes whose values lack their quotes, or have single ones: Markdoc reads the whole tag
 * as text then.
 *
 * @module
 */

import { textOf } from "../../../io/json.ts";
import { type Diagnostic, diagnostic } from "./diagnostics.ts";

/** An opening of a tag within one line. */
const TAG = /\{%[^%]*(?:%(?!\})[^%]*)*%\}/g;

/** A value that is no value of Markdoc: in single or curly quotes, or a word without any. */
const VALUE =
  /(\s[\w-]+)=(?:'([^'"]*)'|[\u201c\u201d]([^\u201c\u201d"]*)[\u201c\u201d]|(?!(?:true|false|null|-?\d+(?:\.\d+)?)(?=[\s/%]))([A-Za-z0-9_#./-]+?)(?=\s|\/?%\}))/g;

/** The longest line that is looked at, in UTF-16 units: each {% in it is searched for its end. */
const LONGEST_LINE = 2000;

/** A page whose quotes were put right, and what was put right. */
export interface Requoted {
  /** The content, with the same lines. */
  readonly content: string;
  /** The findings, with their corrections; lines count from the first of the content. */
  readonly findings: readonly Diagnostic[];
}

/**
 * Puts right the quotes in the lines of tags that Markdoc could not read.
 *
 * @param lines The indexes of those lines.
 */
export function requote(content: string, lines: ReadonlySet<number>): Requoted {
  const findings: Diagnostic[] = [];
  const corrected = content.split("\n").map((line, index) => {
    if (!lines.has(index) || line.length > LONGEST_LINE) return line;
    return line.replace(
      TAG,
      (tag, at: number) =>
        tag.replace(VALUE, (all: string, name: string, ...parts: unknown[]) => {
          const [single, curly, bare] = parts.map(textOf);
          const value = single ?? curly ?? bare ?? "";
          const offset = Number(parts[3]);
          const message = bare === undefined
            ? `The value of "${name.trim()}" needs straight double quotes: "${value}"`
            : `The value of "${name.trim()}" lacks its quotes: ${name.trim()}="${value}"`;
          const column = at + offset + name.length + 2;
          findings.push({
            ...diagnostic("syntax", message, { line: index + 1, column }),
            fix: {
              line: index + 1,
              column,
              length: all.length - name.length - 1,
              text: `"${value}"`,
            },
          });
          return `${name}="${value}"`;
        }),
    );
  });
  return { content: corrected.join("\n"), findings };
}
