/**
 * What Markdoc makes of a text: the errors that a reader would meet, its headings
 * and its entities.
 *
 * @module
 */

import { parseMarkup } from "../../src/io/markup_limits.ts";
import { ENTITY_TYPES } from "../../src/project/entities.ts";
import { plainText } from "./parser.ts";
import { entityTree, type MarkdocNode, type TextTree } from "./text_tree.ts";

/** A text as Markdoc reads it, as far as writes are compared by it. */
export interface Reading {
  /** The errors, one a line, sorted. */
  readonly errors: readonly string[];
  /** The headings as `level text`, in the order of the text. */
  readonly headings: readonly string[];
  /** The entities at the top level as `type id`, in the order of the text. */
  readonly entities: readonly string[];
  /** The names and attributes of every other tag, sorted. */
  readonly tags: readonly string[];
}

/** How many readings are kept. */
const MOST_KNOWN = 8;

/** Reads texts. */
export interface Syntax {
  /**
   * What Markdoc makes of a text.
   *
   * @throws {RefraktError} `VALIDATION_ERROR` for a text that would keep it long.
   */
  read(source: string): Reading;
  /** The text of an entity of this type, for views; see {@linkcode entityTree}. */
  tree(source: string, type: string): readonly TextTree[];
}

/**
 * Makes the reader of a loaded plugin.
 *
 * @param markdoc The module of Markdoc that the plugin uses.
 * @param runes The module of the runes that the plugin uses.
 */
export function syntaxOf(
  markdoc: Record<string, unknown>,
  runes: Record<string, unknown>,
): Syntax {
  const { parse } = (markdoc["default"] ?? markdoc) as { parse(source: string): MarkdocNode };
  const escape = runes["escapeFenceTags"] as ((source: string) => string) | undefined;
  const parsed = (source: string) => {
    return parseMarkup(plainText(source), (text) => parse(escape?.(text) ?? text));
  };
  // What stands for the signs of a tag within code is the library's own matter.
  const [open, close] = escape?.("```\n{% %}\n```").split("\n")[1]?.split(" ") ?? [];
  const unescape = (text: string) =>
    text.replaceAll(open ?? "{%", "{%").replaceAll(close ?? "%}", "%}");
  // What an update has written is what the next one of the same entity begins with.
  const known = new Map<string, Reading>();
  return {
    read: (source) => {
      const before = known.get(source);
      if (before !== undefined) return before;
      const made = reading(parsed(source));
      if (known.size >= MOST_KNOWN) known.clear();
      known.set(source, made);
      return made;
    },
    tree: (source, type) => entityTree(parsed(source), type, unescape),
  };
}

const ENTITIES: ReadonlySet<string> = new Set(ENTITY_TYPES);

function reading(root: MarkdocNode): Reading {
  const errors: string[] = [];
  const headings: string[] = [];
  const tags: string[] = [];
  const visit = (node: MarkdocNode) => {
    for (const error of node.errors) errors.push(`${error.id}: ${error.message}`);
    if (node.type === "heading") headings.push(`${node.attributes["level"]} ${textOf(node)}`);
    if (node.type === "tag" && !ENTITIES.has(node.tag!)) {
      tags.push(`${node.tag} ${JSON.stringify(node.attributes)}`);
    }
    for (const child of node.children) visit(child);
  };
  visit(root);
  const entities = root.children
    .filter((node) => node.type === "tag" && ENTITIES.has(node.tag!))
    .map(({ tag, attributes }) => `${tag} ${attributes["id"] ?? attributes["name"] ?? ""}`);
  return { errors: errors.sort(), headings, entities, tags: tags.sort() };
}

function textOf(node: MarkdocNode): string {
  const { content } = node.attributes;
  const own = typeof content === "string" ? content : "";
  return own + node.children.map(textOf).join("");
}
