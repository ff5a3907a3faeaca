/** The terminal: its width and its colours. */

import { orElse } from "../errors.ts";
import type { Paint } from "../plugin/plugin.ts";

/** The line width in a pipe, or if the terminal reports 0 columns. */
const DEFAULT_WIDTH = 100;

/** The minimum width for a table. */
const LEAST_WIDTH = 40;

export type OutputStream = Pick<typeof Deno.stdout, "isTerminal">;

export type { Paint };

/** Unknown to the repository, so that none of its texts has a sequence of {@linkcode Paint}. */
const OURS = crypto.randomUUID();

/** The escape sequences of {@linkcode Paint}, captured for `split`. */
export const MARKS = new RegExp(String.raw`(\x1b\[\d+m)${OURS}`);

/** The colours for a stream: off unless it is a terminal, and off if `NO_COLOR` is set. */
export function paintFor(stream: OutputStream, noColor: boolean = Deno.noColor): Paint {
  const coloured = stream.isTerminal() && !noColor;
  const code = (number: number) => (text: string) =>
    coloured && text !== "" ? `\x1b[${number}m${OURS}${text}\x1b[0m${OURS}` : text;
  return { bold: code(1), dim: code(2), green: code(32), yellow: code(33), red: code(31) };
}

export function lineWidth(stream: OutputStream = Deno.stdout): number {
  if (!stream.isTerminal()) return DEFAULT_WIDTH;
  const { columns } = orElse(() => Deno.consoleSize(), { columns: 0 });
  return columns > 0 ? Math.max(LEAST_WIDTH, columns) : DEFAULT_WIDTH;
}
