/** Code fences of Markdown. */

/** The start of a code fence, also in quotes and list items: indent and mark. */
export const FENCE = /^([\s>]*)(?:[-*+]\s+|\d+[.)]\s+)?(`{3,}(?=[^`]*$)|~{3,})/;

/** The end of a code fence: its mark. */
export const FENCE_END = /^[\s>]*(`{3,}|~{3,})\s*$/;

/** The lines of a text with LF line ends, and which are in a code block, its fences included. */
export function linesIn(text: string): { readonly text: string; readonly in_code: boolean }[] {
  let fence: string | undefined;
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.map((line) => {
    if (fence === undefined) {
      fence = FENCE.exec(line)?.[2];
      return { text: line, in_code: fence !== undefined };
    }
    if (FENCE_END.exec(line)?.[1]?.startsWith(fence)) fence = undefined;
    return { text: line, in_code: true };
  });
}
