/**
 * Which lines of a Markdown text are prose, and which are code, comment or front
 * matter: what looks like a heading, a task or a tag there is none.
 */

import { FENCE, FENCE_END } from "../../src/project/entities.ts";

/** What a line belongs to. */
export type LineKind = "prose" | "code" | "comment" | "front matter";

/** The lines of a text. */
export interface MarkdownLines {
  /** The lines, without their ends and without a byte order mark. */
  readonly lines: readonly string[];
  /** The kind of each line; the marks themselves belong to what they enclose. */
  readonly kinds: readonly LineKind[];
  /** Lines, from zero, that open code or a comment that is never closed. */
  readonly unclosed: readonly number[];
}

/**
 * Reads a text line by line. What is opened and never closed hides nothing: the lines
 * after it stay prose, and the opening line is reported. A fence inside a list item ends
 * where a task or a heading in the first column ends the item.
 *
 * @example
 * ```ts
 * import { markdownLines } from "./markdown.ts";
 *
 * const { kinds } = markdownLines("# Title\n~~~\n# no title\n~~~");
 * console.assert(kinds.join() === "prose,code,code,code");
 * ```
 */
export function markdownLines(text: string): MarkdownLines {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  const kinds = lines.map((): LineKind => "prose");
  const unclosed: number[] = [];
  const fill = (from: number, to: number, kind: LineKind) => kinds.fill(kind, from, to + 1);
  const endOfFence = fenceEnds(lines);
  const endOfComment = nextOf(lines, (line) => line.includes("-->"));
  let at = 0;
  if (lines[0] === "---") {
    const end = lines.indexOf("---", 1);
    if (end > 0) {
      fill(0, end, "front matter");
      at = end + 1;
    }
  }
  for (; at < lines.length; at++) {
    const line = lines[at]!;
    const fence = FENCE.exec(line);
    if (fence !== null) {
      const close = endOfFence(at, fence[2]!, fence[1]!.length >= 2);
      if (close < 0) unclosed.push(at);
      else {
        fill(at, close, "code");
        at = close;
      }
      continue;
    }
    const prose = withoutCode(line);
    if (!opensComment(prose)) {
      if (/^\s*<!--/.test(prose)) kinds[at] = "comment";
      continue;
    }
    const close = endOfComment(at);
    if (close < 0) {
      unclosed.push(at);
      continue;
    }
    // A line that says something before the comment is prose.
    fill(/^\s*<!--/.test(prose) ? at : at + 1, close, "comment");
    at = close;
  }
  return { lines, kinds, unclosed };
}

/** Finds the next line of a kind; for questions whose lines only go forward. */
function nextOf(
  lines: readonly string[],
  isIt: (line: string) => boolean,
): (after: number) => number {
  let next = 0;
  return (after) => {
    if (next <= after) next = after + 1;
    while (next < lines.length && !isIt(lines[next]!)) next++;
    return next < lines.length ? next : -1;
  };
}

/**
 * Finds where fences end. Many that never do must not each look through all of the text:
 * only lines that may end one are looked at, and what was looked at in vain is kept.
 */
function fenceEnds(lines: readonly string[]) {
  const closers: Record<string, { line: number; length: number }[]> = { "`": [], "~": [] };
  for (const [line, text] of lines.entries()) {
    const mark = FENCE_END.exec(text)?.[1];
    if (mark !== undefined) closers[mark[0]!]!.push({ line, length: mark.length });
  }
  const endOfItem = nextOf(lines, (line) => /^(?:[-*+] \[[ xX]\]|#{1,6} )/.test(line));
  const inVain: Record<string, number> = {};
  const first: Record<string, number> = { "`": 0, "~": 0 };
  return (start: number, mark: string, inItem: boolean): number => {
    const char = mark[0]!;
    if ((inVain[char] ?? Infinity) <= mark.length) return -1;
    const all = closers[char]!;
    while (first[char]! < all.length && all[first[char]!]!.line <= start) first[char]!++;
    const itemEnd = inItem ? endOfItem(start) : -1;
    for (let index = first[char]!; index < all.length; index++) {
      const { line, length } = all[index]!;
      if (itemEnd >= 0 && line > itemEnd) return -1;
      if (length >= mark.length) return line;
    }
    if (itemEnd < 0) inVain[char] = mark.length;
    return -1;
  };
}

/** The line without code spans, in which nothing opens a comment. */
export function withoutCode(line: string): string {
  if (!line.includes("`")) return line;
  const runs = [...line.matchAll(/`+/g)].map(({ 0: { length }, index }) => ({ length, index }));
  const next: (number | undefined)[] = [];
  const last = new Map<number, number>();
  for (let at = runs.length - 1; at >= 0; at--) {
    next[at] = last.get(runs[at]!.length);
    last.set(runs[at]!.length, at);
  }
  let [text, from] = ["", 0];
  for (let at = 0; at < runs.length; at++) {
    const { length, index } = runs[at]!;
    const end = next[at];
    if (end === undefined) continue;
    text += line.slice(from, index);
    from = runs[end]!.index + length;
    at = end;
  }
  return text + line.slice(from);
}

/** Whether a comment is open at the end of the line. */
export function opensComment(line: string): boolean {
  const open = line.lastIndexOf("<!--");
  return open >= 0 && !line.includes("-->", open);
}
