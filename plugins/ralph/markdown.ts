/**
 * Which lines of a Markdown text are prose: what looks like a heading, a task or a tag in code,
 * comments or front matter is none.
 */

import { FENCE, FENCE_END } from "../../src/markdoc/lines.ts";

export interface MarkdownLines {
  /** Without line endings and byte order mark. */
  readonly lines: readonly string[];
  /** Whether each line is prose: neither code, comment nor front matter, marks included. */
  readonly isProse: readonly boolean[];
  /** Lines, from 0, that open code or a comment that is never closed. */
  readonly unclosed: readonly number[];
}

/** A task or a heading in the first column ends a list item, and with it a fence in the item. */
const END_OF_ITEM = /^(?:[-*+] \[[ xX]\]|#{1,6} )/;

/**
 * Classifies the lines of a text. As in Markdoc, a comment begins a line. What is opened and
 * never closed hides nothing: the lines after it stay prose.
 */
export function markdownLines(text: string): MarkdownLines {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  const isProse = lines.map(() => true);
  const unclosed: number[] = [];
  const endOfFence = fenceEnds(lines);
  const lastCommentEnd = lines.findLastIndex((line) => line.includes("-->"));
  const frontMatterEnd = lines[0] === "---" ? lines.indexOf("---", 1) : -1;
  isProse.fill(false, 0, frontMatterEnd + 1);
  for (let at = frontMatterEnd + 1; at < lines.length; at++) {
    const line = lines[at]!;
    const fence = FENCE.exec(line);
    const isComment = /^\s*<!--/.test(line);
    if (fence === null && !isComment) continue;
    let end = at;
    if (fence !== null) end = endOfFence(at, fence[2]!, fence[1]!.length >= 2);
    else if (lastCommentEnd < at) end = -1;
    else while (!lines[end]!.includes("-->")) end++;
    if (end < 0) unclosed.push(at);
    else {
      isProse.fill(false, at, end + 1);
      at = end;
    }
  }
  return { lines, isProse, unclosed };
}

/** Changes the lines of a text, and keeps its line endings. */
export function editLines(text: string, change: (lines: string[]) => void): string {
  const lines = text.split(/\r?\n/);
  change(lines);
  return lines.join(text.includes("\r\n") ? "\r\n" : "\n");
}

/** Finds the end of a fence, or -1. Remembers failed searches, so that many stay linear. */
function fenceEnds(lines: readonly string[]) {
  const failed = new Map<string, { length: number; until: number }>();
  return (start: number, mark: string, inItem: boolean): number => {
    const key = `${mark[0]} ${inItem}`;
    const failure = failed.get(key);
    if (failure !== undefined && start < failure.until && mark.length >= failure.length) return -1;
    let at = start + 1;
    for (; at < lines.length; at++) {
      if (FENCE_END.exec(lines[at]!)?.[1]?.startsWith(mark)) return at;
      if (inItem && END_OF_ITEM.test(lines[at]!)) break;
    }
    failed.set(key, { length: mark.length, until: at });
    return -1;
  };
}
