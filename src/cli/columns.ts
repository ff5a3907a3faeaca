/**
 * Text in two columns for a terminal.
 *
 * @module
 */

import { lineWidth } from "./terminal.ts";

/** The widest that a first column gets before its text goes below it. */
const WIDEST_NAME = 40;

/** The least that is left for the second column. */
const LEAST_TEXT = 24;

/** How columns are laid out. */
export interface ColumnOptions {
  /** What stands before each line; two spaces by default. */
  readonly indent?: string;
  /** How wide a line may be; as wide as the terminal by default. */
  readonly width?: number;
  /** Marks the first column, such as in bold. */
  readonly paint?: (name: string) => string;
}

/** Rows of a name and a text; long texts go on under themselves. */
export function columns(
  rows: readonly (readonly [name: string, text: string])[],
  { indent = "  ", width = lineWidth(), paint = (name) => name }: ColumnOptions = {},
): string {
  const longest = Math.max(0, ...rows.map(([name]) => name.length));
  const first = Math.min(WIDEST_NAME, longest, Math.max(8, width - indent.length - 2 - LEAST_TEXT));
  const left = Math.max(LEAST_TEXT, width - indent.length - first - 2);
  const under = `${indent}${" ".repeat(first)}  `;
  return rows.map(([name, text]) => {
    const [head = "", ...more] = wrap(text, left);
    const start = name.length > first
      ? `${indent}${paint(name)}\n${under}${head}`
      : `${indent}${paint(name)}${" ".repeat(first - name.length)}  ${head}`;
    return `${
      [start, ...more.map((line) => under + line)].map((line) => line.trimEnd()).join("\n")
    }\n`;
  }).join("");
}

/** Breaks a text at spaces; a word that is too long stays whole. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/)) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
