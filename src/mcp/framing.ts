/**
 * Takes a stream of bytes apart into lines, none of which may be longer than a limit:
 * of a longer one only its two ends are kept, and the stream goes on behind it.
 *
 * @module
 */

/** The most bytes of one message. */
export const MOST_BYTES = 10_000_000;

/** How much of the two ends of a line that is too long is kept, in bytes. */
const KEPT_BYTES = 512;

/** A line, or what is left of one that was too long. */
export type Line = { readonly text: string } | { readonly head: string; readonly tail: string };

/**
 * Reads lines.
 *
 * @param input The bytes.
 * @param most The most bytes of a line.
 */
export async function* readLines(
  input: AsyncIterable<Uint8Array>,
  most: number = MOST_BYTES,
): AsyncGenerator<Line> {
  const decoder = new TextDecoder();
  let chunks: Uint8Array[] = [];
  let length = 0;
  /** The two ends of the line that is being read, once it is too long. */
  let long: { head: Uint8Array; tail: Uint8Array } | undefined;
  const add = (bytes: Uint8Array) => {
    if (bytes.length === 0) return;
    length += bytes.length;
    if (long !== undefined) {
      long.tail = lastOf(concat([long.tail, bytes.subarray(-KEPT_BYTES)]));
      return;
    }
    chunks.push(bytes);
    if (length <= most) return;
    const whole = concat(chunks);
    long = { head: whole.slice(0, KEPT_BYTES), tail: lastOf(whole) };
    chunks = [];
  };
  const end = (): Line => {
    const line: Line = long === undefined
      ? { text: decoder.decode(concat(chunks)) }
      : { head: decoder.decode(long.head), tail: decoder.decode(long.tail) };
    chunks = [];
    length = 0;
    long = undefined;
    return line;
  };
  for await (const chunk of input) {
    let start = 0;
    for (;;) {
      const at = chunk.indexOf(10, start);
      if (at === -1) break;
      add(chunk.subarray(start, at));
      yield end();
      start = at + 1;
    }
    add(chunk.subarray(start));
  }
  if (length > 0) yield end();
}

/** The id of a request that was too long to read, where it stands at one of its ends. */
export function idOf({ head, tail }: { head: string; tail: string }): string | number | null {
  const found =
    /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d+|"[^"\\]*")\s*,/.exec(head) ??
      /,\s*"id"\s*:\s*(\d+|"[^"\\]*")\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/.exec(tail);
  return found === null ? null : JSON.parse(found[1]!);
}

function lastOf(bytes: Uint8Array): Uint8Array {
  return bytes.slice(-KEPT_BYTES);
}

function concat(chunks: readonly Uint8Array[]): Uint8Array {
  if (chunks.length === 1) return chunks[0]!;
  const whole = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.length;
  }
  return whole;
}
