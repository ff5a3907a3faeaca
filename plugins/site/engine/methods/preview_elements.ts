/**
 * Changes the elements of a rendered page for a preview: media get the addresses of files that the
 * preview serves, and blocks get their lines in the source.
 */

import { fileOf, isExternal } from "../pages/check/addresses.ts";
import type { SourceText } from "../pages/transform/lost_text.ts";
import type { ParsedPage } from "../pages/check/parse_page.ts";
import type { SiteContext } from "../upstream/site.ts";
import { projectAddress } from "../theme/style_source.ts";
import {
  type Element,
  INLINE_ELEMENTS,
  lettersAndDigits,
  textIn,
  visitElements,
} from "../upstream/elements.ts";

const ELEMENTS = new Set(["img", "source", "video", "audio", "track", "image"]);

/** Attributes with one address. */
const ADDRESSES = ["src", "poster"];

const URL_IN_STYLE = /url\(\s*(?:"([^"]*)"|'([^']*)'|([^"')\s]+))\s*\)/g;

/** Changes the addresses in the tree, and returns those of other servers, which do not load. */
export function addressMedia(
  site: SiteContext,
  tree: unknown,
  page: Pick<ParsedPage, "route" | "file">,
  dir: string,
): readonly string[] {
  const foreign = new Set<string>();
  const served = (address: string): string => {
    if (/^data:/i.test(address) || address === "") return address;
    if (isExternal(address)) foreign.add(address);
    const file = fileOf(site, page, address, dir);
    return file === undefined ? address : projectAddress(site.project.cwd, file);
  };
  visitElements(tree, ({ name, attributes }) => {
    if (ELEMENTS.has(name)) {
      for (const key of ADDRESSES) {
        const address = attributes[key];
        if (typeof address === "string") attributes[key] = served(address);
      }
      const { srcset } = attributes;
      if (typeof srcset === "string") {
        attributes["srcset"] = srcset.split(/,\s+/).map((candidate) => {
          const [address = "", ...size] = candidate.trim().split(/\s+/);
          return [served(address), ...size].join(" ");
        }).join(", ");
      }
    }
    const { style } = attributes;
    if (typeof style === "string" && style.includes("url(")) {
      attributes["style"] = style.replace(
        URL_IN_STYLE,
        (_, double, single, plain) => `url("${served(double ?? single ?? plain)}")`,
      );
    }
  });
  return [...foreign];
}

/** The attribute with the line, from 1. */
const LINE = "data-refrakt-line";

/** How much of a text identifies it, in characters. */
const COMPARED = 60;

interface Block {
  readonly element: Element;
  readonly text: string;
  /** The blocks in it. */
  readonly inner: ReadonlySet<Element>;
}

/** Sets the line of each block whose text is in the source; a rune gets the line of its tag. */
export function markLines(
  tree: unknown,
  texts: readonly SourceText[],
  { facts: { uses }, offset }: Pick<ParsedPage, "facts" | "offset">,
): void {
  const blocks: Block[] = [];
  visitElements(tree, (element) => {
    if (INLINE_ELEMENTS.has(element.name)) return;
    const inner = new Set<Element>();
    visitElements(element.children, (each) => inner.add(each));
    blocks.push({ element, text: lettersAndDigits(textIn(element)), inner });
  });
  const lines = new Map<Element, number>();
  for (const { text, line } of texts) {
    const wanted = lettersAndDigits(text).slice(0, COMPARED);
    if (wanted === "") continue;
    const all = blocks.filter((each) => !lines.has(each.element) && each.text.includes(wanted));
    // Of the first block with the text and the blocks in it, the innermost.
    const block = all.find(({ inner }) => all.every(({ element }) => !inner.has(element)));
    if (block !== undefined) lines.set(block.element, line + offset + 1);
  }
  for (const { element, inner } of blocks) {
    const rune = element.attributes["data-rune"];
    // A rune begins at its tag, which is the last one before its first text.
    const first = lines.get(element) ??
      [...inner].map((each) => lines.get(each)).find((line) => line !== undefined);
    const tag = uses.findLast((use) =>
      use.rune === rune && (first === undefined || use.line <= first)
    );
    const line = typeof rune === "string" ? tag?.line ?? first : lines.get(element);
    if (line !== undefined) element.attributes[LINE] = line;
  }
}
