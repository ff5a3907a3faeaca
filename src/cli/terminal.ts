/**
 * The terminal: its width and colours, text in two columns, and the command that was typed.
 *
 * @module
 */

import { basename } from "node:path";

/** The line width in a pipe, or if the terminal reports 0 columns. */
const DEFAULT_WIDTH = 100;

/** Narrower than this, two columns of text are not readable. */
const LEAST_WIDTH = 40;

/** A stream that may be a terminal. */
export interface OutputStream {
  /** Whether it is one. */
  isTerminal(): boolean;
}

/** Functions that colour text, or return it unchanged without colours. */
export interface Paint {
  /** For what names something. */
  bold(text: string): string;
  /** For what matters less. */
  dim(text: string): string;
  /** For what is well. */
  green(text: string): string;
  /** For what is worth a look. */
  yellow(text: string): string;
  /** For what is wrong. */
  red(text: string): string;
}

/** The marks of {@linkcode Paint} in a text; a part of their own where a text is split by them. */
// deno-lint-ignore no-control-regex -- they begin with one
export const MARKS = /(\x1b\[(?:0|1|2|31|32|33)m)/;

/** How to paint on a stream: in colour on a terminal, unless `NO_COLOR` is set. */
export function paintFor(stream: OutputStream, noColor: boolean = Deno.noColor): Paint {
  const coloured = stream.isTerminal() && !noColor;
  const code = (number: number) => (text: string) =>
    coloured && text !== "" ? `\x1b[${number}m${text}\x1b[0m` : text;
  return { bold: code(1), dim: code(2), green: code(32), yellow: code(33), red: code(31) };
}

/** How wide a line may be on a stream. */
export function lineWidth(
  stream: OutputStream = Deno.stdout,
  size: () => { columns: number } = Deno.consoleSize,
): number {
  if (!stream.isTerminal()) return DEFAULT_WIDTH;
  try {
    const { columns } = size();
    return columns > 0 ? Math.max(LEAST_WIDTH, columns) : DEFAULT_WIDTH;
  } catch {
    return DEFAULT_WIDTH;
  }
}

/** The widest that a first column gets before its text goes below it. */
const WIDEST_NAME = 40;

/** The least that is left for the second column. */
const LEAST_TEXT = 24;

interface ColumnOptions {
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

/**
 * The command as it was typed. Deno's flags are abbreviated: a program cannot read them, and the
 * usage line has them in full.
 *
 * @param main The entry module, for tests.
 * @param binary The path of a compiled binary, for tests.
 */
export function typedCommand(
  main: string = Deno.mainModule,
  binary: string | undefined = Deno.build.standalone ? Deno.execPath() : undefined,
): string {
  if (binary !== undefined) return basename(binary).replace(/\.exe$/, "");
  const [, path] = /\/@refrakt\/mcp\/[^/]+\/(.*)$/.exec(main) ?? [];
  if (path !== undefined) return `deno run … jsr:@refrakt/mcp${/ralph/.test(path) ? "/ralph" : ""}`;
  return `deno run … ${main.startsWith("file:") ? decodeURI(new URL(main).pathname) : main}`;
}
