export interface Lines {
  readonly count: number;
  /** Returns the offset of a line; the length of the text after the last one. */
  startOf(line: number): number;
  lineAt(offset: number): number;
}

/** Indexes the lines of a text with LF line ends, numbered from 0. */
export function linesOf(text: string): Lines {
  const starts = [0];
  for (let at = 0; (at = text.indexOf("\n", at) + 1) > 0;) starts.push(at);
  return {
    count: starts.length,
    startOf: (line) => starts[line] ?? text.length,
    lineAt: (offset) => {
      let [low, high] = [0, starts.length - 1];
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (starts[middle]! <= offset) low = middle;
        else high = middle - 1;
      }
      return low;
    },
  };
}
