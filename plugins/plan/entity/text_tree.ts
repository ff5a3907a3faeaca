/** Converts an entity's Markdoc to a tree without syntax, which views render. */

import Markdoc, { type Config, type Node, type RenderableTreeNodes } from "@markdoc/markdoc";
import { parseMarkup } from "../../../src/io/markup_limits.ts";

/** A text or an element: the name of an HTML element, or `heading`, `rune` or `ref`. */
export type TextTree = string | {
  readonly name: string;
  /**
   * A heading's level, a link's address, a code's language, a rune's name, or the id of a `ref`.
   */
  readonly value?: string;
  readonly children?: readonly TextTree[];
};

/**
 * Returns the content of an entity, without the title and what views show separately: criteria,
 * items that are only a reference, and the headings of sections with nothing else.
 *
 * @throws {RefraktError} `VALIDATION_ERROR` if parsing takes too long.
 */
export function entityTree(source: string, type: string): readonly TextTree[] {
  const root = parseMarkup(source, parse);
  const entity = root.children.find(({ tag }) => tag === type) ?? root;
  const config = configFor(entity);
  const parts = entity.children
    .filter((node) => node.type !== "heading" || node.attributes["level"] !== 1)
    .map((node) => ({
      isHeading: node.type === "heading",
      tree: treesOf(Markdoc.transform(node, config)),
    }));
  return parts.filter(({ isHeading }, at) => {
    if (!isHeading) return true;
    const next = parts.findIndex((part, index) => index > at && part.isHeading);
    const section = parts.slice(at + 1, next === -1 ? parts.length : next);
    return section.length === 0 || section.some(({ tree }) => tree.length > 0);
  }).flatMap(({ tree }) => tree);
}

/** A section's text; the first one, before all headings, is the description. */
export interface TextSection {
  readonly name: string;
  readonly text: readonly TextTree[];
}

/** Splits a text at its level-two headings; repeated headings are numbered as in `plan.get`. */
export function textSections(tree: readonly TextTree[]): TextSection[] {
  let current: TextTree[] = [];
  const sections = new Map([["description", current]]);
  for (const node of tree) {
    if (typeof node === "string" || node.name !== "heading" || Number(node.value) > 2) {
      current.push(node);
      continue;
    }
    const text = headingText(node).trim();
    let heading = text;
    for (let count = 2; sections.has(heading); count++) heading = `${text} (${count})`;
    sections.set(heading, current = []);
  }
  return [...sections].map(([name, text]) => ({ name, text }));
}

function headingText(node: TextTree): string {
  if (typeof node === "string") return node;
  return node.name === "ref" ? node.value ?? "" : (node.children ?? []).map(headingText).join("");
}

/** Parses like the plugin: tags in a code fence are code. */
function parse(source: string): Node {
  const tokens = new Markdoc.Tokenizer().tokenize(source);
  for (const token of tokens) if (token.type === "fence") token.children = null;
  return Markdoc.parse(tokens);
}

/** Renders every tag as a rune, and omits the items that views show separately. */
function configFor(entity: Node): Config {
  const rune = (tag: string): NonNullable<Config["tags"]>[string] => ({
    transform: (node: Node, config) =>
      tag === "ref"
        ? new Markdoc.Tag("ref", { value: node.attributes["primary"] })
        : new Markdoc.Tag("rune", { value: tag }, node.transformChildren(config)),
  });
  const { list } = Markdoc.nodes;
  const tags = [...entity.walk()].flatMap(({ tag }) => tag ?? []);
  return {
    nodes: {
      list: {
        ...list,
        transform: (node: Node, config) => {
          const items = node.children.filter((item) => !isCriterion(item) && !isReference(item));
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
  return [rendered].flat().flatMap((one): TextTree[] => {
    if (!Markdoc.Tag.isTag(one)) return typeof one === "string" && one !== "" ? [one] : [];
    const { attributes } = one;
    const level = /^h(\d)$/.exec(one.name)?.[1];
    const value = level ?? attributes["value"] ?? attributes["href"] ?? attributes["data-language"];
    const children = one.name === "img" ? [String(attributes["alt"] ?? "")] : treesOf(
      one.children.map((child) => one.name === "pre" ? String(child).replace(/\n$/, "") : child),
    );
    return [{
      name: level === undefined ? one.name : "heading",
      ...(typeof value === "string" && value !== "" ? { value } : {}),
      ...(children.length === 0 ? {} : { children }),
    }];
  });
}

function isCriterion(item: Node): boolean {
  const text = [...item.walk()].find(({ type }) => type === "text");
  return /^\[[ xX]\]\s/.test(String(text?.attributes["content"] ?? ""));
}

/** Whether a list item is a single reference. */
function isReference(item: Node): boolean {
  const leaves = [...item.walk()]
    .filter(({ type }) => type !== "inline" && type !== "paragraph");
  return leaves.length === 1 && leaves[0]!.tag === "ref";
}
