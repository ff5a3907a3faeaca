/** Rewrites Markdoc: replaces names, parses the result and compares it with the intention. */

import { applyEdits, type Edit, type Place } from "./edits.ts";
import type { Locator } from "./locate.ts";
import { asWritten, type MarkdocNode } from "./node.ts";

/**
 * Applies the edits that change only what they should.
 *
 * @param isMeant Whether the text with some of the edits parses to the intended tree.
 * @returns The text with these edits: one that fails, such as one in code, is left out.
 */
export function rewrite(
  source: string,
  edits: readonly Edit[],
  isMeant: (text: string) => boolean,
): { readonly text: string; readonly edits: readonly Edit[] } {
  const textWith = (tried: readonly Edit[]) => applyEdits(source, [tried])?.text ?? source;
  const certain = isMeant(textWith(edits))
    ? edits
    : edits.filter((edit) => isMeant(textWith([edit])));
  return { text: textWith(certain), edits: certain };
}

/** The kinds of names in tags. */
export type Named = "tag" | "attribute" | "value";

/** A name in a tag. */
interface NameUse {
  /** The tag as it is written; of an attribute its value, and of a value its attribute. */
  readonly written: string;
  /** The line of its tag. */
  readonly line: number;
  /** Its places; empty if one of them cannot be found. */
  readonly edits: readonly Edit[];
}

/** Nodes by the tag and attributes that they get from a rename. */
type Renamed = Map<MarkdocNode, Pick<MarkdocNode, "tag" | "attributes">>;

/** A value that needs no quotes. */
const LITERAL = /^(?:true|false|null|-?\d+(?:\.\d+)?)$/;

/**
 * Finds the tags with a name.
 *
 * @param isWanted Whether a tag is searched; for attributes and values, whether the attribute is.
 */
export function usesOf(
  ast: MarkdocNode,
  locator: Locator,
  { kind, to }: { readonly kind: Named; readonly to: string },
  isWanted: (node: MarkdocNode, attribute: string) => boolean,
): { readonly uses: readonly NameUse[]; readonly renamed: Renamed } {
  const renamed: Renamed = new Map();
  const uses: NameUse[] = [];
  const replaced = (place: Place | undefined, old: string, text: string): Edit[] =>
    place !== undefined && locator.isAt(place, old)
      ? [{ line: place.line, column: place.column, length: old.length, old, text }]
      : [];
  // In order, because a place belongs to the first tag that asks for it.
  for (const node of ast.walk()) {
    if (node.type !== "tag") continue;
    const { tag = "", attributes } = node;
    const opening = locator.tag(node);
    const add = (written: string, edits: readonly Edit[], now: Record<string, unknown>) => {
      uses.push({ written, line: opening.line, edits });
      renamed.set(node, { tag: kind === "tag" ? to : tag, attributes: now });
    };
    if (kind === "tag") {
      if (!isWanted(node, "")) continue;
      const edits = replaced(opening, tag, to);
      const closing = locator.closingOf(node);
      const isOpen = closing === undefined && node.children.length > 0;
      add(tag, isOpen ? [] : [...edits, ...replaced(closing, tag, to)], attributes);
      continue;
    }
    for (const [name, value] of Object.entries(attributes)) {
      if (!isWanted(node, name)) continue;
      const now = renamed.get(node)?.attributes ?? attributes;
      if (kind === "attribute") {
        const isTaken = Object.hasOwn(attributes, to);
        const entries = Object.entries(now).map(([key, each]) => [key === name ? to : key, each]);
        const edits = isTaken ? [] : replaced(locator.attribute(node, name), name, to);
        add(valueText(value), edits, Object.fromEntries(entries));
      } else {
        const place = locator.value(node, name);
        const isText = place?.text.startsWith('"') || !LITERAL.test(to);
        const edits = replaced(place, place?.text ?? "", isText ? JSON.stringify(to) : to);
        add(name, edits, { ...now, [name]: isText ? to : JSON.parse(to) });
      }
    }
  }
  return { uses, renamed };
}

/** A value as source text, a string without quotes. */
function valueText(value: unknown): string {
  const text = asWritten("", value);
  return typeof text === "string" ? text : JSON.stringify(text, asWritten);
}

/** Serializes a tree: nodes with their attributes, some renamed. */
export function treeText(ast: MarkdocNode, renamed: Renamed = new Map()): string {
  const visit = (node: MarkdocNode): unknown => {
    const { tag, attributes } = renamed.get(node) ?? node;
    return [node.type, tag, attributes, node.children.map(visit)];
  };
  return JSON.stringify(visit(ast));
}
