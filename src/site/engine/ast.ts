/**
 * Looks into the syntax tree of a page.
 *
 * @module
 */

import type { MarkdocNode } from "./shapes.ts";

/** The first tag of one of the names. */
export function firstTag(ast: MarkdocNode, names: readonly string[]): MarkdocNode | undefined {
  for (const node of ast.walk()) {
    if (node.type === "tag" && names.includes(node.tag ?? "")) return node;
  }
  return undefined;
}
