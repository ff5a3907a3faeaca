/** Marks the blocks of a rendered page with the lines of the file that they come from. */

import type { SourceText } from "../pages/transform/lost_text.ts";
import type { ParsedPage } from "../pages/check/parse_page.ts";
import { type Element, isElement } from "../upstream/elements.ts";

/** The attribute with the line, from 1. */
export const LINE = "data-refrakt-line";

/** How much of a text identifies it, in characters. */
const COMPARED = 60;

const INLINE = new Set(
  "a abbr b br code del em i img kbd mark s small span strong sub sup".split(" "),
);

/** Sets {@linkcode LINE} in a tree. */
export function markLines(
  tree: unknown,
  texts: readonly SourceText[],
  { facts, offset }: Pick<ParsedPage, "facts" | "offset">,
): void {
  const shown = new Map<Element, string>();
  const blocks = new Map<Element, Element[]>();
  const read = (node: unknown, into: Element[]): string => {
    if (Array.isArray(node)) return node.map((child) => read(child, into)).join("");
    if (typeof node === "string" || typeof node === "number") return bare(String(node));
    if (!isElement(node)) return "";
    const isBlock = !INLINE.has(node.name);
    const own: Element[] = isBlock ? [] : into;
    const text = read(node.children, own);
    if (isBlock) {
      into.push(node);
      shown.set(node, text);
      blocks.set(node, own);
    }
    return text;
  };
  const top: Element[] = [];
  read(tree, top);
  const marked = new Set<Element>();
  const innermost = (all: readonly Element[], text: string): Element | undefined => {
    for (const block of all) {
      if (!shown.get(block)!.includes(text)) continue;
      const inner = innermost(blocks.get(block)!, text);
      if (inner !== undefined) return inner;
      if (!marked.has(block)) return block;
    }
    return undefined;
  };
  for (const { text, line } of texts) {
    const wanted = bare(text).slice(0, COMPARED);
    const block = wanted === "" ? undefined : innermost(top, wanted);
    if (block === undefined) continue;
    marked.add(block);
    block.attributes[LINE] = line + offset + 1;
  }
  markRunes(top, blocks, facts.uses);
}

/** A rune begins at its tag, which is the last one before its first text. */
function markRunes(
  top: readonly Element[],
  blocks: ReadonlyMap<Element, readonly Element[]>,
  uses: readonly { readonly rune: string; readonly line: number }[],
): void {
  const lineIn = (block: Element): number | undefined => {
    const own = block.attributes[LINE];
    if (typeof own === "number") return own;
    for (const child of blocks.get(block)!) {
      const line = lineIn(child);
      if (line !== undefined) return line;
    }
    return undefined;
  };
  const visit = (block: Element) => {
    const rune = block.attributes["data-rune"];
    const line = lineIn(block);
    if (typeof rune === "string") {
      const tag = uses.findLast((use) =>
        use.rune === rune && (line === undefined || use.line <= line)
      )?.line ?? line;
      if (tag !== undefined) block.attributes[LINE] = tag;
    }
    blocks.get(block)!.forEach(visit);
  };
  top.forEach(visit);
}

function bare(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}
