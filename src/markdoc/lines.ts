/** The lines of a text as Markdoc counts them: `\n`, `\r\n` and a lone `\r` end a line. */

const END = /(\r\n?|\n)/;

/** The lines without their ends. */
export function linesOf(text: string): string[] {
  return text.split(/\r\n?|\n/);
}

/** Replaces lines one by one; each keeps its end. */
export function withLines(text: string, lineOf: (line: string, index: number) => string): string {
  return text.split(END).map((part, at) => at % 2 === 0 ? lineOf(part, at / 2) : part).join("");
}
