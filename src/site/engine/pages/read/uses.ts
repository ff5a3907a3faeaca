/** Lists the runes that a page uses, outside code. */

import { fieldOf, textOf } from "../../../../io/json.ts";
import type { MarkdocNode } from "../../upstream/shapes.ts";
import type { SiteContext } from "../../upstream/site.ts";
import type { Locator } from "./locate.ts";

/** A tag of a page. */
export interface RuneUse {
  /** The rune's name, even if an alias is written; Markdoc's own tags have theirs. */
  readonly rune: string;
  readonly line: number;
  /** The attributes as JSON, variables as text such as `$page.url`. */
  readonly attributes: string;
  /** The value without a name, as in `{% ref "WORK-1" /%}`. */
  readonly primary: string | undefined;
  /** The rune that contains it directly. */
  readonly parent: string | undefined;
}

export function usesIn(site: SiteContext, ast: MarkdocNode, locator: Locator): RuneUse[] {
  const uses: RuneUse[] = [];
  const visit = (node: MarkdocNode, parent: string | undefined) => {
    let inside = parent;
    if (node.type === "tag" && node.tag !== undefined) {
      const { tag, attributes } = node;
      inside = site.names.get(tag) ?? tag;
      uses.push({
        rune: inside,
        line: locator.tag(node).line,
        attributes: JSON.stringify(attributes, written),
        primary: textOf(attributes["primary"]),
        parent,
      });
    }
    for (const child of node.children) visit(child, inside);
  };
  visit(ast, undefined);
  return uses;
}

/** Variables and functions are objects of Markdoc. */
function written(_name: string, value: unknown): unknown {
  const kind = fieldOf(value, "$$mdtype");
  if (kind === "Variable") {
    const path = fieldOf(value, "path");
    return `$${Array.isArray(path) ? path.map(String).join(".") : ""}`;
  }
  return kind === "Function" ? `${String(fieldOf(value, "name"))}()` : value;
}
