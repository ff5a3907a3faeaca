/// <reference lib="dom" />
/**
 * An entity's text, as the tree that the server makes of its Markdoc, in elements.
 *
 * @module
 */

import { h } from "./dom.ts";

/** A text, or an element with its name, what is known of it, and what stands inside. */
export type TextTree =
  | string
  | { readonly name: string; readonly value?: string; readonly children?: readonly TextTree[] };

/** What a reader of the text can do. */
export interface TextActions {
  /** Opens the entity of an id. */
  open(id: string): void;
  /** Opens an address of the web. */
  visit(url: string): void;
}

/** Elements that are made as they are called; any other name is only what stands inside. */
const PLAIN = [
  "p",
  "ul",
  "ol",
  "li",
  "strong",
  "em",
  "s",
  "code",
  "blockquote",
  "hr",
  "br",
  "thead",
  "tbody",
  "tr",
  "th",
  "td",
] as const;

/** Makes the elements of a text. */
export function showText(tree: readonly TextTree[], actions: TextActions): (Node | string)[] {
  return tree.flatMap((node) => typeof node === "string" ? [node] : elementOf(node, actions));
}

/** A line with code between backticks. */
export function showLine(line: string): (Node | string)[] {
  return line.split(/(`[^`]+`)/).filter((part) => part !== "").map((part) =>
    part.startsWith("`") && part.length > 2 ? h("code", {}, part.slice(1, -1)) : part
  );
}

function elementOf(
  { name, value = "", children = [] }: Exclude<TextTree, string>,
  actions: TextActions,
): (Node | string)[] {
  const inside = showText(children, actions);
  const plain = PLAIN.find((known) => known === name);
  if (plain !== undefined) return [h(plain, {}, ...inside)];
  switch (name) {
    case "heading":
      // The dialog's own headings are above them.
      return [h(Number(value) <= 2 ? "h3" : Number(value) === 3 ? "h4" : "h5", {}, ...inside)];
    case "pre":
      return [h("pre", { tabindex: 0, "data-language": value }, h("code", {}, ...inside))];
    case "table":
      return [h("div", { class: "table", tabindex: 0 }, h("table", {}, ...inside))];
    case "ref":
      return [h("button", { class: "ref", onclick: () => actions.open(value) }, value)];
    case "a":
      return /^https?:/i.test(value)
        ? [
          h(
            "button",
            { class: "ref", title: value, onclick: () => actions.visit(value) },
            ...inside,
          ),
        ]
        : [h("span", { title: value }, ...inside)];
    case "img":
      return [h("span", { class: "image" }, "Image: ", ...inside)];
    case "rune":
      return [h("div", { class: "rune" }, h("span", { class: "name" }, value), ...inside)];
    default:
      return inside;
  }
}
