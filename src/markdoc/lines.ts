/**
 * The lines of a text as Markdoc counts them, where `\n`, `\r\n` and a lone `\r` end a line, and which
 * of them are code.
 */

import type { MarkdocNode } from "./node.ts";

const EOL = /(\r\n?|\n)/;

/** The lines without their ends. */
export function linesOf(text: string): string[] {
  return text.split(/\r\n?|\n/);
}

/** Replaces lines one by one; each keeps its end. */
export function withLines(text: string, lineOf: (line: string, index: number) => string): string {
  return text.split(EOL).map((part, at) => at % 2 === 0 ? lineOf(part, at / 2) : part).join("");
}

/** The start of a code fence, also in quotes and list items: indent and mark. */
export const FENCE = /^([\s>]*)(?:[-*+]\s+|\d+[.)]\s+)?(`{3,}(?=[^`]*$)|~{3,})/;

/** The end of a code fence: its mark. */
export const FENCE_END = /^[\s>]*(`{3,}|~{3,})\s*$/;

/** The lines of a text with LF line ends, and which are in a code block, its fences included. */
export function linesIn(text: string): { readonly text: string; readonly in_code: boolean }[] {
  let fence: string | undefined;
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.map((line) => {
    if (fence === undefined) {
      fence = FENCE.exec(line)?.[2];
      return { text: line, in_code: fence !== undefined };
    }
    if (FENCE_END.exec(line)?.[1]?.startsWith(fence)) fence = undefined;
    return { text: line, in_code: true };
  });
}

/** Code in a line. */
const CODE = /(?<!`)(`{1,3})(?!`)[^`\n]+\1(?!`)/g;

/**
 * Returns the lines of a text without code blocks, and without brackets in the code of a line; labels of
 * links keep their code.
 *
 * @param offset The number of lines before the text that the tree was parsed from.
 */
export function linesWithoutCode(source: string, ast: MarkdocNode, offset: number): string[] {
  const lines = linesOf(source.replace(CODE, (text) => text.replace(/[[\]()<>{}]/g, " ")));
  for (const { type, lines: [first = 0, end = first] } of ast.walk()) {
    if (type === "fence") lines.fill("", offset + first, offset + end);
  }
  return lines;
}
