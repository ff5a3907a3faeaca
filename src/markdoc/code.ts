/** Code in a text of Markdoc, where nothing is a tag or a link. */

import { linesOf } from "./lines.ts";
import type { MarkdocNode } from "./node.ts";

/** Code in a line. */
const CODE = /(?<!`)(`{1,3})(?!`)[^`\n]+\1(?!`)/g;

/**
 * Returns the lines of a text without code blocks, and without brackets in the code of a line; labels of
 * links keep their code.
 *
 * @param offset The lines before what the tree was read from.
 */
export function linesWithoutCode(source: string, ast: MarkdocNode, offset: number): string[] {
  const lines = linesOf(source.replace(CODE, (text) => text.replace(/[[\]()<>{}]/g, " ")));
  for (const { type, lines: [first = 0, end = first] } of ast.walk()) {
    if (type === "fence") lines.fill("", offset + first, offset + end);
  }
  return lines;
}
