/**
 * Output of one-shot commands: texts, JSON, colours and tables. Hidden characters are shown as escapes:
 * a terminal would execute some of them.
 */

import { orElse } from "../errors.ts";
import { writeStderr, writeStdout } from "../io/pipes.ts";
import { shortText, shownData, withEscapes } from "../plain_text.ts";
import type { Paint } from "../plugin/plugin.ts";

/** The line width in a pipe, or if the terminal reports 0 columns. */
const DEFAULT_WIDTH = 100;

/** The minimum width for a table. */
const LEAST_WIDTH = 40;

type OutputStream = Pick<typeof Deno.stdout, "isTerminal">;

export function lineWidth(stream: OutputStream = Deno.stdout): number {
  if (!stream.isTerminal()) return DEFAULT_WIDTH;
  const { columns } = orElse(() => Deno.consoleSize(), { columns: 0 });
  return columns > 0 ? Math.max(LEAST_WIDTH, columns) : DEFAULT_WIDTH;
}

/** Unknown to the repository, so that none of its texts has a sequence of {@linkcode Paint}. */
const OURS = crypto.randomUUID();

/** The escape sequences of {@linkcode Paint}, captured for `split`. */
const MARKS = new RegExp(String.raw`(\x1b\[\d+m)${OURS}`);

/** The colours for a stream: off unless it is a terminal, and off if `NO_COLOR` is set. */
export function paintFor(stream: OutputStream): Paint {
  const coloured = stream.isTerminal() && !Deno.noColor;
  const code = (number: number) => (text: string) =>
    coloured && text !== "" ? `\x1b[${number}m${OURS}${text}\x1b[0m${OURS}` : text;
  return { bold: code(1), dim: code(2), green: code(32), yellow: code(33), red: code(31) };
}

/** Prints text to stdout, with no control sequences but those of `Paint`. */
export function print(text: string): void {
  writeStdout(withMarksOnly(text));
}

export function printJson(value: unknown): void {
  writeStdout(`${JSON.stringify(shownData(value), null, 2)}\n`);
}

/** Prints text to stderr like {@linkcode print}. */
export function printNote(text: string): void {
  writeStderr(withMarksOnly(text));
}

function withMarksOnly(text: string): string {
  return text.split(MARKS).map((part, at) => at % 2 === 1 ? part : withEscapes(part)).join("");
}

/** The maximum width of the first column; longer names get their own line. */
const MAX_NAME = 40;

/** The minimum width of the last column. */
const MIN_TEXT = 24;

/** Between columns. */
const GAP = "  ";

interface TableOptions {
  readonly indent?: string;
  readonly width?: number;
  /** Shortens words that are too long for the last column; by default they stay whole. */
  readonly shortens?: boolean;
  /** Styles the first column. */
  readonly paint?: (name: string) => string;
}

/** Formats rows of cells, the last of which is wrapped to the remaining width. */
export function table(
  rows: readonly (readonly string[])[],
  { indent = GAP, width = lineWidth(), shortens, paint = (name) => name }: TableOptions = {},
): string {
  const sizes = columnSizes(rows).slice(0, -1);
  const isNamed = sizes.length > 0;
  const widest = Math.max(8, width - indent.length - GAP.length - MIN_TEXT);
  if (isNamed) sizes[0] = Math.min(sizes[0]!, MAX_NAME, widest);
  const others = sizes.reduce((sum, size) => sum + size + GAP.length, 0);
  const room = Math.max(MIN_TEXT, width - indent.length - others);
  const lineOf = ([name = "", ...cells]: readonly string[]) => {
    const padding = " ".repeat(Math.max(0, (sizes[0] ?? 0) - name.length));
    const padded = cells.map((cell, at) => cell.padEnd(sizes[at + 1] ?? 0));
    return `${[indent + paint(name) + padding, ...padded].join(GAP).trimEnd()}\n`;
  };
  return rows.flatMap((row) => {
    const lines = wrap(row[sizes.length] ?? "", room).map((line, number) => {
      const text = shortens ? shortText(line, room) : line;
      return [...sizes.map((_, at) => number === 0 ? row[at] ?? "" : ""), text];
    });
    const [name = ""] = row;
    if (!isNamed || name.length <= sizes[0]!) return lines;
    return [[name], ["", ...lines[0]!.slice(1)], ...lines.slice(1)];
  }).map(lineOf).join("");
}

/** The natural widths of the columns. */
export function columnSizes(rows: readonly (readonly string[])[]): number[] {
  const sizes: number[] = [];
  for (const row of rows) {
    for (const [at, { length }] of row.entries()) sizes[at] = Math.max(sizes[at] ?? 0, length);
  }
  return sizes;
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
