/** Finds the blocks of a text, such as a draft, that a rendered page lacks. */

import { posix } from "node:path";
import { textsOf } from "../../../../src/io/json.ts";
import { isNotFound } from "../../../../src/io/paths.ts";
import { readInside } from "../../../../src/io/read.ts";
import { RefraktError } from "../../../../src/errors.ts";
import { shortLine } from "../../../../src/plain_text.ts";
import { splitPage } from "../pages/read/front_matter.ts";
import { missingTexts, sourceTexts } from "../pages/transform/lost_text.ts";
import { addressesOf, addressOf, isExternal } from "../pages/check/addresses.ts";
import { withoutNotation } from "../pages/check/foreign_notation.ts";
import { type ParsedPage, siteVariables } from "../pages/check/parse_page.ts";
import { parseContent } from "../runes/example_page.ts";
import { visitElements } from "../upstream/elements.ts";
import type { SiteContext } from "../upstream/site.ts";
import type { SitePages } from "../pages/transform/site_pages.ts";

/** The longest path of a file, and how much of a block is shown, in characters. */
const [LONGEST_PATH, MOST_SHOWN] = [300, 100];

/**
 * Returns the blocks of a text that have no place of their own on a page, word for word, and the
 * targets of its links that the page does not link.
 *
 * @param input The path of a file in the project, else the Markdown itself.
 * @param tree What the page becomes.
 * @returns The lines of the text, from 1, each with the beginning of the block or the link.
 */
export function missingIn(
  site: SiteContext,
  { module }: SitePages,
  input: string,
  page: ParsedPage,
  tree: unknown,
) {
  const { content, offset, frontmatter } = splitPage(module, markdownOf(site.project.cwd, input));
  const ast = parseContent(site, content);
  const fields = { ...page.frontmatter, ...frontmatter };
  const variables = { ...siteVariables(site), frontmatter: fields };
  const pageContent = [Object.values(page.frontmatter).map((value) => [value, "\n"]), tree];
  const missing = () => missingTexts(sourceTexts(site, ast, variables), pageContent);
  const missingLines = new Set(missing().map(({ line }) => line));
  // The notation of another generator need not be on the page.
  for (const { type, attributes } of ast.walk()) {
    const { content: text } = attributes;
    if (type === "text" && typeof text === "string") attributes["content"] = withoutNotation(text);
  }
  const blocks = missing().filter(({ line }) => missingLines.has(line))
    .map(({ line, text }) => ({ line: line + offset + 1, text: shortLine(text, MOST_SHOWN) }));
  const targets = new Set<string>();
  visitElements(tree, ({ attributes: { href, src } }) => {
    for (const target of textsOf([href, src])) {
      if (isExternal(target)) targets.add(comparableTarget(target));
      else {
        const [path, anchor] = pathAndAnchor(target);
        for (const address of addressesOf(page, path)) targets.add(address + anchor);
        targets.add(posix.basename(path) + anchor);
      }
    }
  });
  let line = 0;
  const links = [...ast.walk()].flatMap(({ type, lines, attributes: { href, src } }) => {
    line = lines[0] ?? line;
    const target = type === "link" ? href : type === "image" ? src : undefined;
    return typeof target !== "string" || targets.has(comparableTarget(target))
      ? []
      : [{ line: line + offset + 1, text: `${type} to ${shortLine(target, MOST_SHOWN)}` }];
  });
  return [...blocks, ...links].sort((a, b) => a.line - b.line);
}

function markdownOf(cwd: string, input: string): string {
  if (input.includes("\n") || input.length > LONGEST_PATH) return input;
  try {
    return readInside(cwd, input, "text");
  } catch (error) {
    if (isNotFound(error) || error instanceof RefraktError && error.code !== "VALIDATION_ERROR") {
      return input;
    }
    throw error;
  }
}

function pathAndAnchor(target: string): readonly [path: string, anchor: string] {
  const [, path = "", anchor = ""] = /^([^#?]*)[^#]*(#.*)?$/.exec(target)!;
  return [path.replace(/\.(?:md|html)$/, "").replace(/\/(?:index)?$/, ""), anchor];
}

/** A link target to compare. The text may lie elsewhere: of `../a.md`, only the name counts. */
function comparableTarget(target: string): string {
  if (isExternal(target)) return target.replace(/\/$/, "");
  const [path, anchor] = pathAndAnchor(target);
  return (target.startsWith("/") ? addressOf(path) : posix.basename(path)) + anchor;
}
