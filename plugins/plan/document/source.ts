/**
 * A file's text as Markdown has it, with LF and without a byte order mark, and the way back to the
 * places of the file.
 *
 * @module
 */

/** A text that is read. Offsets are those of {@linkcode plain}, lines are numbered from 0. */
export interface Source {
  /** The file's own text. */
  readonly text: string;
  /** The text with LF line ends. */
  readonly plain: string;
  /** How many lines it has. */
  readonly lines: number;
  /** Where a line begins; the length of the text for a line after the last one. */
  startOf(line: number): number;
  /** A line without its end. */
  lineText(line: number): string;
  /** The line of an offset. */
  lineAt(offset: number): number;
  /** The offset in the file's own text. */
  at(offset: number): number;
}

/** Prepares a text. */
export function sourceOf(text: string): Source {
  const isPlain = !text.includes("\r") && !text.startsWith("\uFEFF");
  const bom = text.startsWith("\uFEFF") ? 1 : 0;
  const plain = isPlain ? text : text.slice(bom).replace(/\r\n?/g, "\n");
  const starts = startsOf(plain);
  const own = isPlain ? starts : ownStartsOf(text, bom);
  const lineAt = (offset: number) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  const startOf = (line: number) => starts[line] ?? plain.length;
  return {
    text,
    plain,
    lines: starts.length,
    startOf,
    lineText: (line) =>
      plain.slice(startOf(line), line + 1 < starts.length ? starts[line + 1]! - 1 : plain.length),
    lineAt,
    at: isPlain ? (offset) => offset : (offset) => {
      const line = lineAt(offset);
      return own[line]! + offset - starts[line]!;
    },
  };
}

function startsOf(text: string): number[] {
  const starts = [0];
  for (let at = 0; (at = text.indexOf("\n", at) + 1) > 0;) starts.push(at);
  return starts;
}

/** The same of a text whose lines may end with CRLF or CR, without its byte order mark. */
function ownStartsOf(text: string, first: number): number[] {
  return [
    first,
    ...Array.from(text.matchAll(/\r\n?|\n/g), ({ 0: { length }, index }) => index + length),
  ];
}
