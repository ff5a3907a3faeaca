/** Which blocks of a text, such as a draft, are not on a rendered page: the proof that nothing is lost. */

import { isNotFound } from "../../../io/paths.ts";
import { readInside } from "../../../io/read.ts";
import { RefraktError } from "../../../errors.ts";
import { splitPage } from "../pages/read/front_matter.ts";
import { missingTexts, sourceTexts } from "../pages/transform/lost_text.ts";
import { parseContent } from "../runes/example_page.ts";
import { visitElements } from "../upstream/elements.ts";
import type { SiteContext } from "../upstream/site.ts";
import type { SitePages } from "../pages/transform/site_pages.ts";

export interface MissingBlock {
  /** In the text, from 1. */
  readonly line: number;
  /** The beginning of the block, or the link that is missing. */
  readonly text: string;
}

/** The longest name of a file, and how much of a block is shown, in characters. */
const [MOST_NAME, MOST_SHOWN] = [300, 100];

/**
 * Returns the blocks of a text that have no place of their own on a page, word for word, and the
 * targets of its links that the page does not link.
 *
 * @param given The name of a file of the project, else the Markdown itself.
 * @param shown Everything that the page shows.
 */
export function missingIn(
  site: SiteContext,
  { module }: SitePages,
  given: string,
  shown: unknown,
): MissingBlock[] {
  const { content, offset } = splitPage(module, textOf(site.project.cwd, given));
  const ast = parseContent(site, content);
  const blocks = missingTexts(sourceTexts(site, ast, {}), shown)
    .map(({ line, text }) => ({ line: line + offset + 1, text: beginning(text) }));
  const targets = new Set<string>();
  visitElements(shown, ({ attributes: { href, src } }) => {
    for (const target of [href, src]) if (typeof target === "string") targets.add(placeOf(target));
    return true;
  });
  let line = 0;
  const links = [...ast.walk()].flatMap(({ type, lines, attributes: { href, src } }) => {
    line = lines[0] ?? line;
    const target = type === "link" ? href : type === "image" ? src : undefined;
    return typeof target !== "string" || targets.has(placeOf(target))
      ? []
      : [{ line: line + offset + 1, text: `${type} to ${beginning(target)}` }];
  });
  return [...blocks, ...links].sort((a, b) => a.line - b.line);
}

function textOf(cwd: string, given: string): string {
  if (given.includes("\n") || given.length > MOST_NAME) return given;
  try {
    return readInside(cwd, given, "text");
  } catch (error) {
    if (isNotFound(error) || error instanceof RefraktError && error.code !== "VALIDATION_ERROR") {
      return given;
    }
    throw error;
  }
}

function beginning(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > MOST_SHOWN ? `${line.slice(0, MOST_SHOWN - 1).toWellFormed()}…` : line;
}

/** What a target names, however it is written: `../a.md`, `/docs/a/` and `a` are one page. */
function placeOf(target: string): string {
  if (/^[a-z][a-z0-9+.-]*:/i.test(target)) return target.replace(/\/$/, "");
  const [, path = "", anchor = ""] = /^([^#?]*)[^#]*(#.*)?$/.exec(target)!;
  const name = path.replace(/\.(?:md|html)$/, "").replace(/\/(?:index)?$/, "").split("/").at(-1)!;
  return `${name}${anchor}`;
}
