/**
 * An entity's Markdoc as a tree that a view shows: what it means, without its syntax.
 *
 * @module
 */

import Markdoc, { type Node } from "@markdoc/markdoc";
import { textOf } from "../../src/io/json.ts";
import { parseMarkup } from "../../src/io/markup_limits.ts";

/**
 * A text, or an element: the name of an HTML element, or `rune` or `ref`; then what is
 * known of it, if there is something; then what stands inside.
 */
export type TextTree = string | TextElement;

/** An element of a {@linkcode TextTree}. */
export interface TextElement {
  /** The name. */
  readonly name: string;
  /** A heading's level, a link's address, a code's language, a rune's name, the id of a `ref`. */
  readonly value?: string;
  /** What stands inside. */
  readonly children?: readonly TextTree[];
}

/** Nodes that are HTML elements without attributes. */
const ELEMENTS: Readonly<Record<string, string>> = {
  paragraph: "p",
  item: "li",
  strong: "strong",
  em: "em",
  s: "s",
  blockquote: "blockquote",
  hr: "hr",
  hardbreak: "br",
  table: "table",
  thead: "thead",
  tbody: "tbody",
  tr: "tr",
  th: "th",
  td: "td",
};

/**
 * The tree of an entity: what stands inside its tag, without the title, and without what
 * has a form of its own: criteria, items that are nothing but a reference, and the headings of
 * sections that have nothing else.
 *
 * @param source The entity's file.
 * @param type The entity's type, whose tag encloses it.
 * @throws {RefraktError} `VALIDATION_ERROR` for a text that would keep the parser long.
 */
export function entityTree(source: string, type: string): readonly TextTree[] {
  const root = parseMarkup(source, parse);
  const entity = root.children.find(({ tag }) => tag === type) ?? root;
  const parts = entity.children
    .filter((node) => node.type !== "heading" || node.attributes["level"] !== 1)
    .map((node) => ({ isHeading: node.type === "heading", tree: treeOf(node) }));
  return parts.filter(({ isHeading }, at) => {
    if (!isHeading) return true;
    const next = parts.findIndex((part, index) => index > at && part.isHeading);
    const section = parts.slice(at + 1, next === -1 ? parts.length : next);
    return section.length === 0 || section.some(({ tree }) => tree.length > 0);
  }).flatMap(({ tree }) => tree);
}

/** Parses a text as the plugin does; tags in a code fence are code. */
function parse(source: string): Node {
  const tokens = new Markdoc.Tokenizer().tokenize(source);
  for (const token of tokens) if (token.type === "fence") token.children = null;
  return Markdoc.parse(tokens);
}

/** What a node shows: nothing for a comment, several parts for what has no element of its own. */
function treeOf(node: Node): readonly TextTree[] {
  const { type, attributes } = node;
  const name = ELEMENTS[type];
  const insideOf = (nodes: readonly Node[]) => nodes.flatMap((child) => treeOf(child));
  const inside = () => insideOf(node.children);
  const text = (key: string) => textOf(attributes[key]) ?? "";
  if (name !== undefined) return [element(name, undefined, inside())];
  switch (type) {
    case "text":
      return text("content") === "" ? [] : [text("content")];
    case "softbreak":
      return [" "];
    case "heading":
      return [element("heading", String(attributes["level"] ?? 2), inside())];
    case "list": {
      const items = insideOf(
        node.children.filter((item) => !isCriterion(item) && !isReference(item)),
      );
      return items.length === 0
        ? []
        : [element(attributes["ordered"] === true ? "ol" : "ul", undefined, items)];
    }
    case "fence":
      return [element("pre", text("language"), [text("content").replace(/\n$/, "")])];
    case "code":
      return [element("code", undefined, [text("content")])];
    case "link":
      return [element("a", text("href"), inside())];
    case "image":
      return [element("img", undefined, [text("alt")])];
    case "tag": {
      const primary = text("primary");
      if (node.tag === "ref") return [element("ref", primary, [])];
      return [element("rune", node.tag ?? "", inside())];
    }
    case "comment":
    case "error":
      return [];
    default:
      return inside();
  }
}

function element(
  name: string,
  value: string | undefined,
  children: readonly TextTree[],
): TextElement {
  return {
    name,
    ...(value === undefined || value === "" ? {} : { value }),
    ...(children.length === 0 ? {} : { children }),
  };
}

/** Whether an item of a list is a check box. */
function isCriterion(item: Node): boolean {
  return /^\[[ xX]\]\s/.test(firstText(item) ?? "");
}

/** Whether an item of a list is one reference and nothing else. */
function isReference(item: Node): boolean {
  const parts = item.children.flatMap(function leaves(node): readonly Node[] {
    return node.type === "inline" || node.type === "paragraph"
      ? node.children.flatMap(leaves)
      : [node];
  });
  return parts.length === 1 && parts[0]!.tag === "ref";
}

function firstText(node: Node): string | undefined {
  if (node.type === "text") return String(node.attributes["content"] ?? "");
  for (const child of node.children) {
    const text = firstText(child);
    if (text !== undefined) return text;
  }
  return undefined;
}
