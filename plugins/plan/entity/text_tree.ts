/** The text of an entity's sections as a tree without syntax, which views render. */

import Markdoc, { type Config, type Node, type RenderableTreeNodes } from "@markdoc/markdoc";
import { defined, unlessEmpty } from "../../../src/io/json.ts";
import type { Document } from "./document.ts";
import { marksIn } from "./tag.ts";
import { isReference, isTagToken } from "./outline.ts";
import { inlineOf, type Token } from "./tokens.ts";

/** A text or an element: the name of an HTML element, or `heading`, `rune` or `ref`. */
export type TextTree = string | {
  readonly name: string;
  /**
   * A heading's level, a link's address, a code's language, a rune's name, or the id of a `ref`.
   */
  readonly value?: string;
  readonly children?: readonly TextTree[];
};

/** A section with its name in `plan_get`. */
export interface TextSection {
  readonly name: string;
  readonly text: readonly TextTree[];
}

/** Our type of a token has the part of Markdoc's that is used. */
const PARSER: { parse(tokens: string | readonly Token[]): Node } = Markdoc;

/**
 * Returns the sections of an entity without what views show separately: criteria, and items that
 * are only a reference.
 */
export function textSections(document: Document): TextSection[] {
  const { text, entity, tokens, lines: { startOf, lineAt } } = document;
  const criteria = new Set(
    entity?.criteria.filter(({ words, end }) => text.slice(words.end, end).trim() === "")
      .map(({ start }) => lineAt(start)),
  );
  let at = 0;
  /** Passes the tokens of blocks that begin before an offset. */
  const pass = (end: number): Token[] => {
    const from = at;
    while (at < tokens.length && (tokens[at]!.map === null || startOf(tokens[at]!.map![0]) < end)) {
      at++;
    }
    return tokens.slice(from, at);
  };
  return (entity?.sections ?? []).map(({ name, body }) => {
    pass(body.start);
    const root = PARSER.parse(pass(body.end).map((token) => parserToken(token, document)));
    return { name, text: treesOf(Markdoc.transform(root.children, configFor(root, criteria))) };
  });
}

/** Prepares a token for Markdoc's parser: every tag is closed, and invalid ones are text. */
function parserToken(token: Token, { text, lines, unmatched, inlines, references }: Document) {
  const parsable = (token: Token, source: string): Token =>
    unmatched.has(token)
      ? { ...token, nesting: 0 }
      : isTagToken(token) && token.type !== "annotation" && token.meta?.tag === undefined
      ? { ...token, type: "text", meta: null, content: source }
      : token;
  const { type, content, map } = token;
  if (type !== "inline") {
    const source = map === null ? "" : text.slice(lines.startOf(map[0]), lines.startOf(map[1]));
    return parsable(token, source.trim());
  }
  const marks = marksIn(content, 0, content.length).filter(({ kind }) => kind === "tag");
  const children = (inlines.get(token) ?? inlineOf(content, references)).map((child) => {
    const { start, end } = isTagToken(child) && marks.next().value || { start: 0, end: 0 };
    return parsable(child, content.slice(start, end));
  });
  return { ...token, children };
}

/** Renders every tag as a rune, and omits the items that views show separately. */
function configFor(root: Node, criteria: ReadonlySet<number>): Config {
  const rune = (tag: string): NonNullable<Config["tags"]>[string] => ({
    transform: (node: Node, config) =>
      isReference(tag)
        ? new Markdoc.Tag("ref", { value: String(node.attributes["primary"] ?? "") })
        : new Markdoc.Tag("rune", { value: tag }, node.transformChildren(config)),
  });
  const { list } = Markdoc.nodes;
  const tags = [...root.walk()].flatMap(({ tag }) => tag ?? []);
  return {
    nodes: {
      list: {
        ...list,
        transform: (node: Node, config) => {
          const items = node.children.filter((item) => {
            const isShown = criteria.has(item.lines[0] ?? -1) || isOnlyReference(item);
            return !isShown ||
              treesOf(Markdoc.transform(item.children.slice(1), config)).length > 0;
          });
          if (items.length === 0) return [];
          const name = node.attributes["ordered"] === true ? "ol" : "ul";
          return new Markdoc.Tag(name, {}, Markdoc.transform(items, config));
        },
      },
    },
    tags: Object.fromEntries(tags.map((tag) => [tag, rune(tag)])),
  };
}

function treesOf(rendered: RenderableTreeNodes): TextTree[] {
  return [rendered].flat().flatMap((node): TextTree[] => {
    if (!Markdoc.Tag.isTag(node)) return typeof node === "string" && node !== "" ? [node] : [];
    const { attributes } = node;
    const level = /^h(\d)$/.exec(node.name)?.[1];
    const value = level ?? attributes["value"] ?? attributes["href"] ?? attributes["data-language"];
    const children = node.name === "img" ? [String(attributes["alt"] ?? "")] : treesOf(
      node.children.map((child) => node.name === "pre" ? String(child).replace(/\n$/, "") : child),
    );
    return [defined({
      name: level === undefined ? node.name : "heading",
      value: typeof value === "string" ? value || undefined : undefined,
      children: unlessEmpty(children),
    })];
  });
}

/** Whether a list item is a single reference. */
function isOnlyReference(item: Node): boolean {
  const leaves = [...item.walk()]
    .filter(({ type }) => type !== "inline" && type !== "paragraph");
  return leaves.length === 1 && isReference(leaves[0]!.tag);
}
