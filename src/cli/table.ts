/** Tables for a terminal: of commands, flags, reports and results. */

import { shortText } from "../plain_text.ts";
import { lineWidth } from "./terminal.ts";

/** The maximum width of the first column; longer names get their own line. */
const MAX_NAME = 40;

/** The minimum width of the wrapped column. */
const MIN_TEXT = 24;

/** Between columns. */
const GAP = "  ";

interface TableOptions {
  /** Two spaces by default. */
  readonly indent?: string;
  /** The terminal's width by default. */
  readonly width?: number;
  /** The names of the columns. */
  readonly header?: readonly string[];
  /** The index of the column whose texts are wrapped; the last by default. */
  readonly wrapped?: number;
  /** Shortens words that are too long for their column; by default they stay whole. */
  readonly shortens?: boolean;
  /** Styles the first column. */
  readonly paint?: ((name: string) => string) | undefined;
  /** Styles the header. */
  readonly paintHeader?: (line: string) => string;
}

/** Formats rows of cells, one of which is wrapped to the remaining width. */
export function table(
  rows: readonly (readonly string[])[],
  { indent = GAP, width = lineWidth(), header, shortens = false, ...options }: TableOptions = {},
): string {
  const { paint = (name) => name, paintHeader = (line) => line } = options;
  const sizes = columnSizes(header === undefined ? rows : [header, ...rows]);
  const { wrapped = sizes.length - 1 } = options;
  if (wrapped > 0) {
    const widest = Math.max(8, width - indent.length - GAP.length - MIN_TEXT);
    sizes[0] = Math.min(sizes[0]!, MAX_NAME, widest);
  }
  const others = sizes.reduce((sum, size, at) => at === wrapped ? sum : sum + size + GAP.length, 0);
  const room = Math.max(MIN_TEXT, width - indent.length - others);
  sizes[wrapped] = Math.min(sizes[wrapped] ?? 0, room);

  const lineOf = ([name = "", ...cells]: readonly string[]) => {
    const padding = " ".repeat(Math.max(0, sizes[0]! - name.length));
    const padded = cells.map((cell, at) => cell.padEnd(sizes[at + 1]!));
    return `${[indent + paint(name) + padding, ...padded].join(GAP).trimEnd()}\n`;
  };
  const linesOf = (row: readonly string[]) => {
    const lines = wrap(row[wrapped] ?? "", room).map((line, number) => {
      const text = shortens ? shortText(line, room) : line;
      return sizes.map((_, at) => at === wrapped ? text : number === 0 ? row[at] ?? "" : "");
    });
    const [first = [""]] = lines;
    if (wrapped === 0 || first[0]!.length <= sizes[0]!) return lines;
    return [[first[0]!], ["", ...first.slice(1)], ...lines.slice(1)];
  };
  const body = rows.flatMap(linesOf).map(lineOf).join("");
  return (header === undefined ? "" : paintHeader(lineOf(header))) + body;
}

/** The natural widths of the columns. */
export function columnSizes(rows: readonly (readonly string[])[]): number[] {
  const count = Math.max(0, ...rows.map((row) => row.length));
  return Array.from(
    { length: count },
    (_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)),
  );
}

/** Breaks a text at spaces; longer words stay whole. */
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
