/** Trees of elements: those that Markdoc renders, and those that a theme makes of them. */

import { isObject } from "../../../../src/io/json.ts";

/** Elements that are part of a line of text. */
export const INLINE_ELEMENTS: ReadonlySet<string> = new Set(
  "a abbr b code del em i ins kbd mark s small span strong sub sup time".split(" "),
);

export interface Element {
  readonly name: string;
  readonly attributes: Record<string, unknown>;
  readonly children: unknown;
}

export function isElement(node: unknown): node is Element {
  return isObject(node) && isObject(node["attributes"]);
}

/** Copies a tree, whose elements may be cached; attribute values are shared. */
export function copyTree(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(copyTree);
  if (!isElement(node)) return node;
  return Object.assign(Object.create(Object.getPrototypeOf(node)), node, {
    attributes: { ...node.attributes },
    children: copyTree(node.children),
  });
}

export function textIn(node: unknown): string {
  if (Array.isArray(node)) return node.map(textIn).join("");
  if (isElement(node)) return textIn(node.children);
  return typeof node === "string" || typeof node === "number" ? String(node) : "";
}

/** The letters and digits of a text in lower case, to compare what is written and shown. */
export function lettersAndDigits(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}

/** Visits the elements of a tree, and those inside one unless its visit returns `false`. */
export function visitElements(node: unknown, visit: (element: Element) => unknown): void {
  if (Array.isArray(node)) { for (const child of node) visitElements(child, visit); }
  else if (isElement(node) && visit(node) !== false) visitElements(node.children, visit);
}
