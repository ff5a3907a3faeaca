/**
 * The syntax tree of a page.
 *
 * @module
 */

import type { MarkdocNode } from "./shapes.ts";
import type { SiteContext } from "./site.ts";

/** The first tag of one of the names. */
export function firstTag(ast: MarkdocNode, names: readonly string[]): MarkdocNode | undefined {
  for (const node of ast.walk()) {
    if (node.type === "tag" && names.includes(node.tag ?? "")) return node;
  }
  return undefined;
}

/** Parses the content of a page as the build does. */
export function parseContent({ upstream }: SiteContext, content: string): MarkdocNode {
  const { runes, markdoc } = upstream;
  return markdoc.parse(runes.escapeFenceTags?.(content) ?? content);
}
